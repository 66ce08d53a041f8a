import { inDatabase, inLedger, type Damage } from './damaged-databases.ts';

const contents = 'transaction-contents';
const someTransfer = "(select min(id) from ledger_transaction where type = 'TRADE' and status = 'SUCCESS')";
const someTask = "(select min(id) from task where status = 'SUCCESS')";
const pricedLine = '(select min(transaction_id) from transaction_line where unit_price > 0)';

/** Changes of money, names, rights and consent that an insider with a database password could make. */
export const insiderDamages: readonly Damage[] = [
  inLedger(
    'a tenfold price',
    `update transaction_line set unit_price = unit_price * 10 where transaction_id = ${pricedLine}`,
    contents,
  ),
  inLedger(
    'a price in another currency',
    `update ledger_transaction set currency = 'USD' where id = (
      select min(id) from ledger_transaction where currency = 'EUR')`,
    contents,
  ),
  inLedger(
    'a retirement with another beneficiary',
    `update ledger_transaction set retirement = jsonb_set(retirement, '{beneficiaryName}', '"Somebody else"')
    where id = (select min(id) from ledger_transaction where type = 'RETIREMENT')`,
    contents,
  ),
  inLedger(
    'a trade requested by another user',
    `update ledger_transaction set requested_by = 'other' where id = ${someTransfer}`,
    contents,
  ),
  inLedger(
    'a trade dated a year ago',
    `update ledger_transaction set created_at = created_at - interval '1 year' where id = ${someTransfer}`,
    contents,
    'inventory-transaction-count',
  ),
  inDatabase(
    'tasks',
    'a task without its key, so that a repetition trades again',
    `update task set idempotency_key = 'other' where id = ${someTask}`,
    'tasks-keys',
  ),
  inDatabase(
    'tasks',
    'a task for other certificates',
    `update task set assets = jsonb_set(assets, '{0,end}', assets #> '{0,start}')
    where id = (select min(id) from task where status = 'SUCCESS' and assets #> '{0,start}' <> assets #> '{0,end}')`,
    'tasks-selections',
  ),
  inDatabase(
    'rbac',
    'a role that was not granted',
    `insert into binding (user_id, sales_channel_id) select 'planted', min(id) from sales_channel;
    insert into binding_role (user_id, role) values ('planted', 'TRANSACTION_ADMINISTRATOR')`,
    'bindings-users',
    'recorded-roles',
  ),
  inDatabase(
    'rbac',
    'a missing role that was not removed',
    `delete from binding_role where (user_id, role) = (
      select user_id, role from binding_role where role <> 'ROLE_ADMINISTRATOR' limit 1)`,
    'recorded-roles',
  ),
  inDatabase(
    'rbac',
    'a suspended channel without an audit event',
    "update sales_channel set suspended_at = now(), suspended_reason = 'none'",
    'channel-standing',
  ),
  inDatabase(
    'rbac',
    'a closed channel with users, without an audit event',
    "update sales_channel set suspended_at = now(), suspended_reason = 'x', closed_at = now(), closed_reason = 'x'",
    'channel-standing',
    'closed-channels',
  ),
  inDatabase(
    'registry-import',
    'an account holder with changed approval',
    'update account_holder set auto_approval = not auto_approval where id = (select min(id) from account_holder)',
    'holder-consent',
  ),
  inDatabase(
    'registry-import',
    'an account holder turned into a registry',
    "update account_holder set kind = 'REGISTRY' where id = (select min(id) from account_holder where kind = 'HOLDER')",
    'holder-consent',
  ),
  inDatabase(
    'identity',
    'a key without an audit event',
    `insert into api_key (id, user_id, secret_hash, created_at, expires_at)
    select 'planted', user_id, secret_hash, now(), expires_at from api_key limit 1`,
    'recorded-keys',
  ),
  inDatabase(
    'identity',
    'a user of another account holder',
    `update app_user set account_holder_id = 'other' where id = (
      select min(id) from app_user where account_holder_id is not null)`,
    'user-standing',
  ),
  inDatabase(
    'webhooks',
    'an endpoint that skips a day',
    "update endpoint set position_at = position_at + interval '1 day'",
    'webhook-positions',
  ),
  inDatabase(
    'traders',
    'a trader with another business id',
    "update trader set business_id = business_id || 'x' where id = (select min(id) from trader)",
    'trader-identities',
  ),
];
