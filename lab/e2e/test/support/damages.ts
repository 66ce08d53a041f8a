import { inDatabase, inLedger, type Damage } from './damaged-databases.ts';
import { insiderDamages } from './insider-damages.ts';

const someBundle = "(select min(id) from bundle where state = 'RETIRED')";
const someTransfer = "(select min(id) from ledger_transaction where type = 'TRADE' and status = 'SUCCESS')";
const someTask = "(select min(id) from task where status = 'SUCCESS')";
const someEvent = '(select min(id) from event)';
const counts = 'inventory-certificate-count';
const contents = 'transaction-contents';

const ofBundles: readonly Damage[] = [
  inLedger(
    'a bundle with another owner',
    `update bundle set owner_id = other.buyer_id from ledger_transaction as other
    where bundle.id = (select min(id) from bundle where state = 'RETIRED') and other.type = 'TRADE'
      and other.buyer_id <> bundle.owner_id and other.sales_channel_id = bundle.sales_channel_id`,
    'replay',
  ),
  inLedger(
    'a retired bundle that can be sold again',
    `update bundle set state = 'LISTABLE' where id = ${someBundle}`,
    'replay',
    counts,
  ),
  inLedger('a missing reservation', "update bundle set state = 'LISTABLE' where state = 'RESERVED'", 'replay', counts),
  inLedger(
    'a bundle with another number',
    `alter table bundle alter column id drop identity; update bundle set id = 900000 where id = ${someBundle}`,
    'replay',
  ),
  inLedger(
    'a missing bundle',
    `delete from bundle where id = ${someBundle}`,
    'replay',
    'bundle-tiling',
    'bundle-volume',
    'inventory-references',
  ),
  inLedger(
    'overlapping bundles',
    `update bundle set previous_last = previous_last - 1 where id = ${someBundle}`,
    'replay',
    'bundle-tiling',
    'bundle-volume',
    'inventory-references',
  ),
  inLedger(
    'an issuance without END',
    "delete from bundle where state = 'END' and issuance_id = (select min(id::text)::uuid from issuance)",
    'bundle-tiling',
  ),
  inLedger(
    'an issuance of one certificate too many',
    'update issuance set first_serial = first_serial - 1 where id = (select min(id::text)::uuid from issuance)',
    'bundle-volume',
    'certificate-ids',
  ),
];

const ofTransactions: readonly Damage[] = [
  inLedger(
    'a transaction with another buyer',
    `update ledger_transaction set buyer_id = seller_id where id = ${someTransfer}`,
    'replay',
    contents,
  ),
  inLedger(
    'a line with fewer certificates',
    'update transaction_line set last = last - 1 where last - first > 5 and source_last is not null and ordinal = 0',
    'replay',
    contents,
    'tasks-selections',
  ),
  inLedger(
    'a missing line',
    `delete from transaction_line where transaction_id = ${someTransfer} and ordinal = 0`,
    contents,
    'tasks-selections',
    'replay',
    'transaction-lines',
  ),
  inLedger(
    'a line with a wrong ordinal',
    `update transaction_line set ordinal = 7 where transaction_id = ${someTransfer} and ordinal = 1`,
    'transaction-lines',
  ),
  inLedger(
    'a line with a wrong bundle before its selection',
    'update transaction_line set before_bundle_id = 900000 where before_bundle_id is not null',
    'replay',
  ),
  inLedger('a missing merge', 'delete from bundle_merge', 'replay'),
  inLedger(
    'a rejection changed to a success',
    "update ledger_transaction set status = 'SUCCESS', reason = null where status = 'REJECTED'",
    'replay',
    'status-changes',
    'audited-decisions',
    'tasks-transactions',
    'inventory-transaction-count',
  ),
  inLedger(
    'a transaction of another task',
    `update ledger_transaction set task_id = 'none' where id = ${someTransfer}`,
    contents,
    'status-changes',
    'audited-transactions',
    'tasks-transactions',
  ),
  inLedger(
    'a refusal of an executed task',
    `insert into transfer_refusal (task_id, reason) select task_id, 'No.' from ledger_transaction
    where id = ${someTransfer}`,
    'one-decision',
    'tasks-transactions',
  ),
  inLedger('a missing refusal', 'delete from transfer_refusal', 'tasks-transactions'),
  inLedger(
    'an onramp key with another transaction',
    `update idempotency_key set answer = convert_to(${someTransfer}, 'UTF8')
    where key = (select min(key) from idempotency_key where operation = 'ledger.Onramp')`,
    'onramp-keys',
  ),
  inLedger(
    'metadata moved to another transaction',
    "update transaction_reference set sales_channel_id = 'other'",
    'transaction-notes',
    'tasks-references',
  ),
  inLedger('missing metadata of a transaction', 'delete from transaction_metadata', 'transaction-notes'),
  inLedger(
    'a transaction with another reference',
    "update transaction_reference set external_reference = 'other'",
    'tasks-references',
  ),
  inLedger(
    'a missing status change',
    'delete from status_change where sequence = 2',
    'status-changes',
    'sequences',
    'events-changes',
  ),
  inLedger('a sequence without a status change', 'update channel_sequence set last = last + 1', 'sequences'),
  inLedger(
    'a status change with another id',
    "update status_change set event_id = 'other' where sequence = 1",
    'events-changes',
  ),
];

const ofRecords: readonly Damage[] = [
  inLedger(
    'certificates of another credit type',
    "update issuance set credit_type = 'CORC200' where id = (select min(id::text)::uuid from issuance)",
    'certificate-ids',
  ),
  inLedger(
    'a facility with another country',
    "update production_facility set country_code = 'XX' where id = (select min(facility_id) from issuance)",
    'certificate-ids',
    'inventory-references',
  ),
  inLedger(
    'a changed audit event with a matching hash',
    `update audit_event set event = replace(event, '"PENDING"', '"SUCCESS"'),
      hash = sha256(convert_to(replace(event, '"PENDING"', '"SUCCESS"'), 'UTF8'))
    where (scope, sequence) = (select scope, min(sequence) from audit_event where event like '%"PENDING"%'
      and event like '%transaction.created%' group by scope)`,
    'audited-transactions',
    'inventory-audit-trail',
    'audited-decisions',
  ),
  inLedger(
    'a missing audit event',
    "delete from audit_event where event like '%certificates.onramped%' and scope = 'registry'",
    'inventory-audit-trail',
    'audited-transactions',
  ),
  inLedger(
    'a truncated audit trail',
    `delete from audit_event where scope = 'registry' and sequence = (
      select max(sequence) from audit_event where scope = 'registry')`,
    'inventory-audit-trail',
  ),
  inLedger(
    'a transaction without an audit event',
    `insert into ledger_transaction (id, type, status, sales_channel_id, buyer_id, created_at, completed_at)
    select 'unseen', 'ISSUANCE', 'SUCCESS', sales_channel_id, buyer_id, now(), now() from ledger_transaction limit 1`,
    'audited-transactions',
    'transaction-lines',
    'inventory-transaction-count',
  ),
  inLedger('a disabled trigger', 'alter table bundle disable trigger bundle_moves', 'inventory-guards'),
  inLedger(
    'an unsent message',
    "insert into outbox (type, body) values ('inventory.transfer.reported.v1', '{}')",
    'inventory-outbox',
  ),
  inDatabase(
    'tasks',
    'a refused message',
    `insert into outbox_refused (id, type, body, reason, created_at) values (1, 'any', '{}', 'too large', now())`,
    'tasks-outbox',
  ),
  inLedger(
    'a wrong count',
    "insert into list_count_delta (list, key, delta) values ('certificate', 'state/HELD', 1)",
    counts,
  ),
];

const ofOthers: readonly Damage[] = [
  inDatabase(
    'tasks',
    'a reference without a task',
    "update task_reference set task_id = 'none'",
    'task-references',
    'tasks-references',
  ),
  inDatabase(
    'tasks',
    'a task with another outcome',
    `update task set status = 'FAILED' where id = ${someTask}`,
    'tasks-transactions',
  ),
  inDatabase('tasks', 'a missing task', `delete from task where id = ${someTask}`, 'tasks-transactions', 'task-places'),
  inDatabase(
    'tasks',
    'a task that never reached the ledger',
    `insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
    select 'lost', sales_channel_id, operation, 'lost', fingerprint, trader_id, assets, 'waits' from task limit 1`,
    'tasks-transactions',
    'tasks-waiting',
  ),
  inDatabase(
    'tasks',
    'an archived task without its key',
    `create table task_archive_2026_01 partition of task_archive for values from ('2026-01-01') to ('2026-02-01');
    insert into task_archive select id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets,
      status, message, transaction_id, null, created_at, '2026-01-02' from task where id = ${someTask};
    delete from ledger_place where task_id = ${someTask};
    delete from task where id = ${someTask}`,
    'archived-keys',
  ),
  inDatabase(
    'tasks',
    'two tasks with one key',
    `alter table task drop constraint task_sales_channel_id_operation_idempotency_key_key;
    update task set idempotency_key = 'same' where operation = 'TRADE'`,
    'task-keys',
    'tasks-keys',
  ),
  inDatabase('tasks', 'a task without ledger progress', 'delete from ledger_progress', 'tasks-progress'),
  inDatabase('events', 'a missing event', `delete from event where id = ${someEvent}`, 'events-changes'),
  inDatabase(
    'events',
    'an invented event',
    `insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status)
    select sales_channel_id, created_at - interval '1 hour', 'invented', event_type, event_at, 'invented', status
    from event limit 1`,
    'events-changes',
  ),
  inDatabase(
    'events',
    'an event with another status',
    `update event set status = 'FAILED' where id = ${someEvent}`,
    'events-changes',
  ),
  inDatabase(
    'events',
    'a channel clock that was set back',
    "update log_head set last_created_at = last_created_at - interval '1 second'",
    'event-times',
  ),
  inDatabase(
    'traders',
    'an accepted proposal without a trader',
    `update trader set account_holder_id = null
    where id = (select min(trader_id) from proposal where status = 'ACCEPTED')`,
    'proposals',
    'traders-references',
  ),
  inDatabase(
    'traders',
    'a missing trader',
    'delete from trader where account_holder_id is null',
    'parties',
    'traders-references',
    'trader-keys',
  ),
  inDatabase(
    'identity',
    'roles of an unknown user',
    'update app_user set id = id || 1 where id = (select min(user_id) from api_key)',
    'bindings-users',
    'identity-references',
    'user-standing',
  ),
  inDatabase(
    'rbac',
    'an unknown sales channel',
    "update sales_channel set id = id || 'x'",
    'events-channels',
    'inventory-channels',
    'rbac-references',
    'tasks-channels',
    'traders-channels',
  ),
  inDatabase(
    'registry-import',
    'an unknown account holder',
    "update account_holder set id = id || 'x' where id = (select min(id) from account_holder)",
    'account-holders',
    'holder-consent',
  ),
  inDatabase(
    'identity',
    'a wrong head of a chain',
    'update audit_head set sequence = sequence + 1',
    'identity-audit-trail',
  ),
];

/** At least one for each invariant. */
export const damages: readonly Damage[] = [
  ...ofBundles,
  ...ofTransactions,
  ...ofRecords,
  ...ofOthers,
  ...insiderDamages,
];

const shortRun = new Set(damages.filter((_, index) => index % 5 === 0));
/** True for one damage in five, of all kinds. */
export const isInShortRun = (damage: Damage): boolean => shortRun.has(damage);
