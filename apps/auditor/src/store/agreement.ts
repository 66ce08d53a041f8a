import type { DatabaseName } from '../domain/check.ts';
import { pairs } from '../domain/merge.ts';
import type { DatabaseCheck } from './statement-check.ts';
import { EVERY_TASK } from './tasks.ts';
import { recorded } from './trail.ts';

/** Two databases that must say the same of the things they both know. */
interface Agreement<Left extends object, Right extends object> {
  readonly about: string;
  /** A statement with a column `key`, in the order of that key's bytes, and where to run it. */
  readonly left: readonly [DatabaseName, string];
  readonly right: readonly [DatabaseName, string];
  /** A statement for the time before which the left one has let things go, `since`, and where to run it. */
  readonly keptSince?: readonly [DatabaseName, string];
  /** What does not agree about one key. */
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
  databases: [a, b],
  mayPass: true,
  async run(snapshots, recorder) {
    const [kept] = keptSince ? await snapshots[keptSince[0]].all<{ since: string | null }>(keptSince[1]) : [];
    const both = pairs(
      snapshots[a].rows<Left & Keyed>(first),
      ({ key }) => key,
      snapshots[b].rows<Right & Keyed>(second),
      ({ key }) => key,
    );
    for await (const [x, y] of both) {
      recorder.looked(1);
      const found = fault(x, y, kept?.since);
      if (found !== undefined) recorder.found(x?.key ?? y?.key ?? 'none', found);
    }
  },
});

/** The members that two rows have in common and in which they differ. */
function difference(a: object, b: object): string | undefined {
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

/** Of months that an operator let go nothing is left. */
const TASKS_KEPT_SINCE = `
  select to_char(max(month) + interval '1 month', 'YYYY-MM-DD"T"HH24:MI:SS') as since from dropped_archive`;

const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`;

/** Carried out or refused. A transfer that was refused has no transaction. */
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
  /** As the ledger has it. Null while it waits for approval. */
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
  // Of a refused transfer the ledger keeps the reason alone.
  const { salesChannelId: _c, type: _t, sellerId: _s, ...bare } = outcome as Outcome & Record<string, unknown>;
  return difference(task, outcome.transactionId === null ? bare : outcome);
}

const TASK_REFERENCES = `
  select task_id as key, sales_channel_id as "salesChannelId", external_reference as "externalReference"
  from task_reference order by task_id collate "C"`;

const REFERENCES = `
  select task_id as key, reference.sales_channel_id as "salesChannelId", external_reference as "externalReference"
  from transaction_reference as reference join ledger_transaction on ledger_transaction.id = transaction_id
  where external_reference is not null order by task_id collate "C"`;

/** Selections as `issuance_first-last`, without the leading zeros that old serials have. */
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

/** Where endpoints stand in the log. Those that stand at one event stand at one time. */
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

interface ToldChange {
  readonly id: string;
  readonly sequence: string | null;
}

function eventFault(event: (ToldChange & Keyed) | undefined, change: ToldChange | undefined): string | undefined {
  if (!event) return 'the status change has no event';
  if (!change) return `event ${event.id} has no status change`;
  const { sequence: _sequence, id: _id, ...rest } = event;
  // Events of the first release have no sequence, and the ledger does not know their ids.
  return difference(event.sequence === null ? rest : event, change);
}

const distinct = (expression: string, from: string): string =>
  `select key from (select distinct ${expression} as key from ${from}) as named where key is not null
  order by key collate "C"`;

/** Everything that one database names must be in the other. */
const named = (
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
  named(
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
    // A transfer that waits or was refused has none in the ledger.
    fault: (known, told) => told && (known ? difference(known, told) : 'the reference has no task'),
  }),
  agreement<object, object>('tasks-selections', {
    about: 'A transaction has the certificates that its task selected',
    left: ['tasks', TASK_SELECTIONS],
    right: ['inventory', SELECTIONS],
    fault: (task, transaction) => task && transaction && difference(task, transaction),
  }),
  agreement<object, object>('tasks-keys', {
    about: 'The idempotency key of a task matches that of its transaction',
    left: ['tasks', TASK_KEYS],
    right: ['inventory', RECORDED_KEYS],
    fault: (task, transaction) => task && transaction && difference(task, transaction),
  }),
  agreement<object, object>('webhook-positions', {
    about: 'The position of a webhook endpoint is an event of the log and its time',
    left: ['webhooks', POSITIONS],
    right: ['events', EVENT_TIMES],
    fault: (position, event) => position && (event ? difference(position, event) : 'the position has no event'),
  }),
  agreement<ToldChange, ToldChange>('events-changes', {
    about: 'Every status change has one event, and every event has its status change',
    left: ['events', EVENTS],
    right: ['inventory', CHANGES],
    fault: eventFault,
  }),
  named(
    'bindings-users',
    'Every user with roles exists',
    ['rbac', distinct('user_id', 'binding')],
    ['identity', distinct('id', 'app_user')],
  ),
  channels('traders', '(select sales_channel_id from trader union select sales_channel_id from proposal) as named'),
  channels('inventory', 'bundle'),
  channels('tasks', `${EVERY_TASK} as task`),
  channels('events', 'event'),
  named(
    'parties',
    'Every owner or buyer of certificates in a sales channel is a trader of it',
    ['inventory', distinct("sales_channel_id || '/' || owner_id", PARTIES)],
    ['traders', distinct("sales_channel_id || '/' || id", 'trader')],
  ),
  named(
    'account-holders',
    'Every owner of issued certificates or certificates outside a channel is an account holder',
    ['inventory', distinct('id', HOLDERS)],
    ['registry-import', distinct('id', 'account_holder')],
  ),
];
