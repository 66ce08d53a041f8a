import type { TransferType } from '@saleschannel/contracts';
import {
  isoTimestamp,
  join,
  Keyset,
  limitOfPart,
  raw,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type PageWindow,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { TaskFilter } from '../domain/list-filter.ts';
import type { Task } from '../domain/task.ts';
import { isNotedWith, notedWith, referenceOf, referredBy } from './references.ts';
import { taskColumns } from './task-rows.ts';

/**
 * Lists of tasks, wherever they are by now. A page is made of parts, each a range of one index in the order of the
 * list, so it reads no more than a page of each (ADR 39).
 */

/** A task as lists show it. */
export interface ListedTask extends Task {
  readonly type: TransferType;
  readonly traderId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What the sales channel calls it. */
  readonly externalReference: string | null;
}

const orderColumns = [
  { column: 'task.created_at', type: 'timestamptz' },
  { column: 'task.id', type: 'text' },
] as const;
const oldestFirst = new Keyset('tasks', orderColumns);
const youngestFirst = new Keyset('tasks', orderColumns, { descending: true });

const rowColumns = sql`task.id, task.operation, task.trader_id, task.status, task.idempotency_key, task.message,
  task.transaction_id, task.created_at`;

const instant = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

function isWithin({ fromMs, toMs }: TimeRange): Sql[] {
  const conditions: Sql[] = [];
  if (fromMs !== undefined) conditions.push(sql`task.created_at >= ${instant(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`task.created_at <= ${instant(toMs)}`);
  return conditions;
}

/** Where tasks of one type are found, and a condition beside that of the list. */
interface Part {
  readonly from: Sql;
  readonly conditions: readonly Sql[];
}

/**
 * Those that the ledger has not answered, each found by its key. No limit of theirs is needed: few may wait for the
 * ledger at once.
 */
const waitingOf = (salesChannelId: string): Sql => sql`
  (select task_id from waiting_task where sales_channel_id = ${salesChannelId} offset 0) as waiting
  cross join lateral (
    select * from task where task.id = waiting.task_id and task.sales_channel_id = ${salesChannelId} offset 0
  ) as task`;

/**
 * Where tasks are that are filtered by it. Few among many have an end other than success, so those have a table of
 * their own. One has a reference, and the metadata of others is in the order of the list.
 */
function placesOf(salesChannelId: string, { status, externalReference, metadata: pair }: TaskFilter): Part[] {
  const noted = pair ? [isNotedWith(salesChannelId, pair)] : [];
  const ofStatus = status === undefined ? [] : [sql`task.status = ${status}`];
  if (externalReference !== undefined)
    return [{ from: referredBy(salesChannelId, externalReference), conditions: [...ofStatus, ...noted] }];
  const exceptional = { from: raw('exceptional_task as task'), conditions: [...ofStatus, ...noted] };
  if (status === 'FAILED' || status === 'REJECTED') return [exceptional];
  if (status === 'PENDING') {
    const unanswered = [sql`task.status = 'PENDING' and task.transaction_id is null`, ...noted];
    return [exceptional, { from: waitingOf(salesChannelId), conditions: unanswered }];
  }
  if (pair) return [{ from: notedWith(salesChannelId, pair), conditions: ofStatus }];
  return ['task', 'task_archive as task', 'task_before as task'].map((table) => ({
    from: raw(table),
    conditions: ofStatus,
  }));
}

const partStatement = (
  { from, conditions }: Part,
  common: readonly Sql[],
  { after, order, reach }: Pick<PageWindow, 'after' | 'order' | 'reach'>,
): Sql => sql`(
  select ${rowColumns} from ${from}
  where ${join([...common, ...conditions, after], ' and ')} order by ${order} ${limitOfPart(reach)}
)`;

/**
 * A page of the tasks of a sales channel, of the types that may be seen.
 * @param types none: nothing is listed
 */
export async function tasksOfChannel(
  em: EntityManager,
  salesChannelId: string,
  { filter, types, descending }: { filter: TaskFilter; types: readonly TransferType[]; descending: boolean },
  asked: PageAsked,
): Promise<ListPart<ListedTask>> {
  const { traderId, createdAt } = filter;
  const ofChannel = sql`task.sales_channel_id = ${salesChannelId}`;
  // A trader is of one channel. A plan for any values must not go through all that the channel has, so no index finds
  // that condition then.
  const owned = traderId === undefined ? [ofChannel] : [sql`task.trader_id = ${traderId} and (${ofChannel}) is true`];
  const common = [...owned, ...isWithin(createdAt)];
  const places = placesOf(salesChannelId, filter);
  const kinds = types.map((type) => [...common, sql`task.operation = ${type}`]);
  return (descending ? youngestFirst : oldestFirst).page<ListedTask>(
    em,
    { ...asked, scope: [salesChannelId, filter, types] },
    (window) => {
      const parts = kinds.flatMap((kind) => places.map((place) => partStatement(place, kind, window)));
      return sql`select ${taskColumns}, task.operation as type, task.trader_id as "traderId",
          ${isoTimestamp('task.created_at')} as "createdAt", ${referenceOf(salesChannelId)} as "externalReference",
          ${window.key}
        from (${join(parts, ' union all ')}) as task order by ${window.order} ${window.rows}`;
    },
  );
}
