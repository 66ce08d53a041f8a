import type { TransferType } from '@saleschannel/contracts';
import {
  isoTimestamp,
  join,
  Keyset,
  limitPart,
  raw,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type PageWindow,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { TaskFilter, Task } from '../domain/task.ts';
import { hasMetadata, selectByMetadata, selectReference, selectByReference } from './references.ts';
import { taskColumns } from './tasks.ts';

/**
 * Lists of current and archived tasks. A page combines parts, each a range of one index in list order, so it reads at
 * most one page of each part (ADR 39).
 */

/** A task in a list. */
export interface ListedTask extends Task {
  readonly type: TransferType;
  readonly traderId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The sales channel's own name for the transfer. */
  readonly externalReference: string | null;
}

const orderColumns = [
  { column: 'task.created_at', type: 'timestamptz' },
  { column: 'task.id', type: 'text' },
] as const;
const oldestFirst = new Keyset('tasks', orderColumns);
const newestFirst = new Keyset('tasks', orderColumns, { descending: true });

const rowColumns = sql`task.id, task.operation, task.trader_id, task.status, task.idempotency_key, task.message,
  task.transaction_id, task.created_at`;

const instant = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

function isWithin({ fromMs, toMs }: TimeRange): Sql[] {
  const conditions: Sql[] = [];
  if (fromMs !== undefined) conditions.push(sql`task.created_at >= ${instant(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`task.created_at <= ${instant(toMs)}`);
  return conditions;
}

/** A source of tasks, with conditions in addition to the conditions of the list. */
interface Part {
  readonly from: Sql;
  readonly conditions: readonly Sql[];
}

/** Selects unanswered tasks, each by its primary key. Needs no limit, because few tasks may wait for the ledger. */
const selectWaiting = (salesChannelId: string): Sql => sql`
  (select task_id from waiting_task where sales_channel_id = ${salesChannelId} offset 0) as waiting
  cross join lateral (
    select * from task where task.id = waiting.task_id and task.sales_channel_id = ${salesChannelId} offset 0
  ) as task`;

/**
 * Chooses the sources for a filter. Tasks that did not succeed are few and have their own table. A reference selects
 * one task. Metadata has an index in list order.
 */
function chooseParts(salesChannelId: string, { status, externalReference, metadata: pair }: TaskFilter): Part[] {
  const byPair = pair ? [hasMetadata(salesChannelId, pair)] : [];
  const byStatus = status === undefined ? [] : [sql`task.status = ${status}`];
  if (externalReference !== undefined)
    return [{ from: selectByReference(salesChannelId, externalReference), conditions: [...byStatus, ...byPair] }];
  const exceptional = { from: raw('exceptional_task as task'), conditions: [...byStatus, ...byPair] };
  if (status === 'FAILED' || status === 'REJECTED') return [exceptional];
  if (status === 'PENDING') {
    const unanswered = [sql`task.status = 'PENDING' and task.transaction_id is null`, ...byPair];
    return [exceptional, { from: selectWaiting(salesChannelId), conditions: unanswered }];
  }
  if (pair) return [{ from: selectByMetadata(salesChannelId, pair), conditions: byStatus }];
  return ['task', 'task_archive as task', 'task_before as task'].map((table) => ({
    from: raw(table),
    conditions: byStatus,
  }));
}

const selectPart = (
  { from, conditions }: Part,
  common: readonly Sql[],
  { after, order, maxRows }: Pick<PageWindow, 'after' | 'order' | 'maxRows'>,
): Sql => sql`(
  select ${rowColumns} from ${from}
  where ${join([...common, ...conditions, after], ' and ')} order by ${order} ${limitPart(maxRows)}
)`;

/**
 * Reads a page of the tasks of a sales channel.
 * @param types the types that the user may see, at least one
 */
export async function selectTasks(
  em: EntityManager,
  salesChannelId: string,
  { filter, types, descending }: { filter: TaskFilter; types: readonly TransferType[]; descending: boolean },
  page: PageRequest,
): Promise<ListPart<ListedTask>> {
  const { traderId, createdAt } = filter;
  const inChannel = sql`task.sales_channel_id = ${salesChannelId}`;
  // `is true` hides the channel condition from indexes, so that a generic plan does not scan the whole channel for one
  // trader.
  const owned = traderId === undefined ? [inChannel] : [sql`task.trader_id = ${traderId} and (${inChannel}) is true`];
  const common = [...owned, ...isWithin(createdAt)];
  const sources = chooseParts(salesChannelId, filter);
  const conditionsByType = types.map((type) => [...common, sql`task.operation = ${type}`]);
  return (descending ? newestFirst : oldestFirst).page<ListedTask>(
    em,
    { ...page, scope: [salesChannelId, filter, types] },
    (window) => {
      const parts = conditionsByType.flatMap((conditions) =>
        sources.map((source) => selectPart(source, conditions, window)),
      );
      return sql`select ${taskColumns}, task.operation as type, task.trader_id as "traderId",
          ${isoTimestamp('task.created_at')} as "createdAt", ${selectReference(salesChannelId)} as "externalReference",
          ${window.key}
        from (${join(parts, ' union all ')}) as task order by ${window.order} ${window.rows}`;
    },
  );
}
