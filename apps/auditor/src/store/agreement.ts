import type { DatabaseName } from '../domain/check.ts';
import { joinSorted, type DatabaseCheck } from './database-check.ts';
import { EVERY_TASK } from './records.ts';
import { recorded } from './trail.ts';

/** Data that two databases share and that must be equal. */
interface Agreement<Left extends object, Right extends object> {
  readonly about: string;
  /** A database, and a statement with a column `key`, sorted by its bytes. */
  readonly left: readonly [DatabaseName, string];
  readonly right: readonly [DatabaseName, string];
  /** A database, and a statement for the start of what the left database still keeps, `since`. */
  readonly keptSince?: readonly [DatabaseName, string];
  /** Returns the disagreement about one key. */
  fault(left: Left | undefined, right: Right | undefined, since: string | null | undefined): string | undefined;
}

interface Keyed {
  readonly key: string;
}

const agreement = <Left extends object, Right extends object>(
  name: string,
  { about, left: [a, first], right: [b, second], keptSince, fault }: Agreement<Left & Keyed, Right & Keyed>,
): DatabaseCheck => ({
  name,
  about,
  isTransient: true,
  async run(snapshots, recorder) {
    const [kept] = keptSince ? await snapshots[keptSince[0]].all<{ since: string | null }>(keptSince[1]) : [];
    const both = joinSorted(
      snapshots[a].rows<Left & Keyed>(first),
      ({ key }) => key,
      snapshots[b].rows<Right & Keyed>(second),
      ({ key }) => key,
    );
    for await (const [x, y] of both) {
      recorder.countRows(1);
      const found = fault(x, y, kept?.since);
      if (found !== undefined) recorder.report(x?.key ?? y?.key ?? 'none', found);
    }
  },
});

/** Describes the differences in the members that two rows share. */
function describeDifference(a: object, b: object): string | undefined {
  const others = new Map<string, unknown>(Object.entries(b));
  const names = Object.entries(a).flatMap(([name, value]) =>
    others.has(name) && others.get(name) !== value ? [`${name}: ${String(value)}, ${String(others.get(name))}`] : [],
  );
  return names.length === 0 ? undefined : names.join('; ');
}

const TASKS = `
  select id as key, status, transaction_id as "transactionId", sales_channel_id as "salesChannelId",
    operation as type, trader_id as "sellerId", case when status = 'FAILED' then message end as reason
  from ${EVERY_TASK} as task order by id collate "C"`;

/** Months that an operator dropped are gone. */
const TASKS_KEPT_SINCE = `
  select to_char(max(month) + interval '1 month', 'YYYY-MM-DD"T"HH24:MI:SS') as since from dropped_archive`;

const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`;

/** Executed and refused transfers. Refused ones have no transaction. */
const OUTCOMES = `
  select * from (
    select task_id as key, status, id as "transactionId", sales_channel_id as "salesChannelId", type,
      seller_id as "sellerId", case when status = 'FAILED' then reason end as reason,
      ${time('completed_at')} as "endedAt"
    from ledger_transaction where task_id is not null
    union all
    select task_id, 'FAILED', null, null, null, null, reason, ${time('refused_at')} from transfer_refusal
  ) as outcome order by key collate "C"`;

interface Outcome {
  readonly status: string;
  readonly transactionId: string | null;
  readonly salesChannelId: string | null;
  /** Recorded only by the ledger. Null while the transaction waits for approval. */
  readonly endedAt?: string | null;
}

function taskFault(
  task: Outcome | undefined,
  outcome: Outcome | undefined,
  since: string | null | undefined,
): string | undefined {
  if (!task && since && outcome?.endedAt && outcome.endedAt < since) return undefined;
  if (!task) return `the ledger has an outcome (${outcome?.status}), but there is no such task`;
  if (!outcome) return `the task is ${task.status}, but the ledger has no outcome`;
  // The ledger keeps only the reason of a refused transfer.
  const { salesChannelId: _c, type: _t, sellerId: _s, ...bare } = outcome as Outcome & Record<string, unknown>;
  return describeDifference(task, outcome.transactionId === null ? bare : outcome);
}

const TASK_REFERENCES = `
  select task_id as key, sales_channel_id as "salesChannelId", external_reference as "externalReference"
  from task_reference order by task_id collate "C"`;

const REFERENCES = `
  select task_id as key, reference.sales_channel_id as "salesChannelId", external_reference as "externalReference"
  from transaction_reference as reference join ledger_transaction on ledger_transaction.id = transaction_id
  where external_reference is not null order by task_id collate "C"`;

/** Selections as `issuance_first-last`, without the leading zeros of old serials. */
const TASK_SELECTIONS = `
  select id as key, (
    select string_agg(
      lower(regexp_replace(asset ->> 'start', '_0*(?=[0-9])', '_')) || '-' ||
        regexp_replace(asset ->> 'end', '^.*_0*(?=[0-9])', ''),
      ' ' order by ordinality)
    from jsonb_array_elements(assets) with ordinality as selected (asset, ordinality)
  ) as selections
  from (
    select id, assets, status from task union all select id, assets, status from task_archive
  ) as task where status in ('SUCCESS', 'REJECTED') order by id collate "C"`;

const SELECTIONS = `
  select task_id as key, string_agg(
    format('%s_%s-%s', issuance_id, transaction_line.first, transaction_line.last), ' ' order by ordinal
  ) as selections
  from ledger_transaction join transaction_line on transaction_id = id
  where task_id is not null group by task_id order by task_id collate "C"`;

const TASK_KEYS = `
  select id as key, idempotency_key as "idempotencyKey" from ${EVERY_TASK} as task order by id collate "C"`;

const RECORDED_KEYS = `
  with ${recorded}
  select after ->> 'taskId' as key, after ->> 'idempotencyKey' as "idempotencyKey" from recorded
  where action = 'inventory.transaction.created' and after ->> 'idempotencyKey' is not null
  order by after ->> 'taskId' collate "C"`;

/** Positions of endpoints in the log. Endpoints at the same event must have the same time. */
const POSITIONS = `
  select position_event_id as key, min(${time('position_at')}) as earliest, max(${time('position_at')}) as latest
  from endpoint where position_event_id is not null group by position_event_id
  order by position_event_id collate "C"`;

const EVENT_TIMES = `
  select id as key, ${time('created_at')} as earliest, ${time('created_at')} as latest
  from event order by id collate "C"`;

const EVENTS = `
  select transaction_id as key, sales_channel_id as "salesChannelId", status, id, sequence::text,
    to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as at
  from event order by transaction_id collate "C"`;

const CHANGES = `
  select transaction_id as key, sales_channel_id as "salesChannelId", status, event_id as id, sequence::text,
    to_char(effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as at
  from status_change order by transaction_id collate "C"`;

interface RecordedChange {
  readonly id: string;
  readonly sequence: string | null;
}

function eventFault(
  event: (RecordedChange & Keyed) | undefined,
  change: RecordedChange | undefined,
): string | undefined {
  if (!event) return 'the status change has no event';
  if (!change) return `event ${event.id} has no status change`;
  const { sequence: _sequence, id: _id, ...rest } = event;
  // Events of the first release have no sequence, and the ledger does not know their ids.
  return describeDifference(event.sequence === null ? rest : event, change);
}

const distinct = (expression: string, from: string): string =>
  `select key from (select distinct ${expression} as key from ${from}) as named where key is not null
  order by key collate "C"`;

/** Requires the other database to have everything that one database refers to. */
const existence = (
  name: string,
  about: string,
  left: readonly [DatabaseName, string],
  right: readonly [DatabaseName, string],
): DatabaseCheck =>
  agreement<object, object>(name, {
    about,
    left,
    right,
    fault: (x, y) => (x && !y ? `${left[0]} refers to it, but ${right[0]} does not have it` : undefined),
  });

const channels = (service: DatabaseName, table: string): DatabaseCheck =>
  existence(
    `${service}-channels`,
    'Every referenced sales channel exists',
    [service, distinct('sales_channel_id', table)],
    ['rbac', distinct('id', 'sales_channel')],
  );

const PARTIES = `(
  select sales_channel_id, owner_id from bundle where state in ('LISTABLE', 'RESERVED', 'RETIRED')
  union select sales_channel_id, buyer_id from ledger_transaction where type = 'TRADE'
) as party`;

const HOLDERS = `(
  select account_holder_id as id from issuance
  union select owner_id from bundle where state in ('HELD', 'OFFRAMPED')
) as holder`;

export const agreementChecks: readonly DatabaseCheck[] = [
  agreement<Outcome, Outcome>('tasks-transactions', {
    about: 'The outcomes of tasks match those of the ledger',
    left: ['tasks', TASKS],
    right: ['inventory', OUTCOMES],
    keptSince: ['tasks', TASKS_KEPT_SINCE],
    fault: taskFault,
  }),
  agreement<object, object>('tasks-references', {
    about: 'The references in the ledger match those of tasks',
    left: ['tasks', TASK_REFERENCES],
    right: ['inventory', REFERENCES],
    // Waiting and refused transfers have no reference in the ledger.
    fault: (task, transaction) =>
      transaction && (task ? describeDifference(task, transaction) : 'the reference has no task'),
  }),
  agreement<object, object>('tasks-selections', {
    about: 'A transaction has the certificates that its task selected',
    left: ['tasks', TASK_SELECTIONS],
    right: ['inventory', SELECTIONS],
    fault: (task, transaction) => task && transaction && describeDifference(task, transaction),
  }),
  agreement<object, object>('tasks-keys', {
    about: 'The idempotency key of a task matches that of its transaction',
    left: ['tasks', TASK_KEYS],
    right: ['inventory', RECORDED_KEYS],
    fault: (task, transaction) => task && transaction && describeDifference(task, transaction),
  }),
  agreement<object, object>('webhook-positions', {
    about: 'The position of a webhook endpoint is an event of the log and its time',
    left: ['webhooks', POSITIONS],
    right: ['events', EVENT_TIMES],
    fault: (position, event) => position && (event ? describeDifference(position, event) : 'the position has no event'),
  }),
  agreement<RecordedChange, RecordedChange>('events-changes', {
    about: 'Every status change has one event, and every event has its status change',
    left: ['events', EVENTS],
    right: ['inventory', CHANGES],
    fault: eventFault,
  }),
  existence(
    'bindings-users',
    'Every user with roles exists',
    ['rbac', distinct('user_id', 'binding')],
    ['identity', distinct('id', 'app_user')],
  ),
  channels('traders', '(select sales_channel_id from trader union select sales_channel_id from proposal) as named'),
  channels('inventory', 'bundle'),
  channels('tasks', `${EVERY_TASK} as task`),
  channels('events', 'event'),
  existence(
    'parties',
    'Every owner or buyer of certificates in a sales channel is a trader of it',
    ['inventory', distinct("sales_channel_id || '/' || owner_id", PARTIES)],
    ['traders', distinct("sales_channel_id || '/' || id", 'trader')],
  ),
  existence(
    'account-holders',
    'Every owner of issued certificates or certificates outside a channel is an account holder',
    ['inventory', distinct('id', HOLDERS)],
    ['registry-import', distinct('id', 'account_holder')],
  ),
];
