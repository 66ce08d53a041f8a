import type { TransactionStatusChanged } from '@saleschannel/contracts';
import {
  isoTimestamp,
  query,
  raw,
  recordset,
  sql,
  type EntityManager,
  type Placed,
  type Sql,
} from '@saleschannel/database';
import type { Task } from '../domain/task.ts';
import type { Disagreement } from './outcomes.ts';
import {
  changeColumns,
  keyColumns,
  pathColumns,
  taskColumns,
  type TaskKey,
  type TaskWithRequest,
  type TaskPath,
} from './task-rows.ts';

/**
 * Tasks that ended long ago: in the archive, or in `task_before` until the job archives them. The statements below name
 * both tables `task`.
 */

/** Runs the same look-up in both tables. */
const selectPast = (find: (table: Sql) => Sql): Sql =>
  sql`${find(raw('task_archive as task'))} union all ${find(raw('task_before as task'))}`;

const isOfKey = sql`
  task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
  and task.idempotency_key = wanted."idempotencyKey"`;

const archivedByKey = sql`
  archived_key join task_archive as task on task.id = archived_key.task_id and task.ended_at = archived_key.ended_at`;
const hasHash = sql`
  archived_key.key_hash = task_key_hash(wanted."salesChannelId", wanted.type, wanted."idempotencyKey")`;

/** Matches rows `wanted` whose key has no task in either table. */
export const isFreshKey = sql`
  not exists (select from ${archivedByKey} where ${hasHash} and ${isOfKey})
  and not exists (select from task_before as task where ${isOfKey})`;

/** Finds the tasks of the keys. Leaves out keys without one. */
export const findPastTasksByKey = (
  em: EntityManager,
  keys: readonly TaskKey[],
  withAssets: boolean,
): Promise<TaskWithRequest[]> => {
  const columns = (assets: Sql): Sql => sql`
    ${taskColumns}, task.sales_channel_id as "salesChannelId", task.operation as type, task.fingerprint,
    case when ${withAssets}::boolean then ${assets} end as assets`;
  return query(
    em,
    sql`with wanted as materialized (select * from ${recordset('given', keyColumns, keys)})
        select ${columns(sql`task.assets`)} from wanted join ${archivedByKey} on ${hasHash} where ${isOfKey}
        union all
        select ${columns(sql`task.request -> 'assets'`)} from wanted join task_before as task on ${isOfKey}`,
  );
};

/** Finds the tasks by their paths. */
export const findPastTasks = (em: EntityManager, paths: readonly Placed<TaskPath>[]): Promise<Placed<Task>[]> =>
  query(
    em,
    sql`with wanted as materialized (select * from ${recordset('given', pathColumns, paths)})
        ${selectPast(
          (table) => sql`
            select wanted.index, ${taskColumns} from wanted
            join ${table} on task.id = wanted.id and task.sales_channel_id = wanted."salesChannelId"
              and task.operation = wanted.type and task.trader_id = wanted."traderId"`,
        )}`,
  );

/** Returns the changes whose task ended differently, and the changes without a task. */
export function findPastDisagreements(
  em: EntityManager,
  changes: readonly TransactionStatusChanged[],
): Promise<Disagreement[]> {
  return query(
    em,
    sql`select placed."salesChannelId", placed.sequence, placed."transactionId", placed."taskId",
          case
            when past.status is not null
              then format('%s of transaction %s, sequence %s', past.status, past.transaction_id, past.ledger_sequence)
          end as known
        from ${recordset('placed', changeColumns, changes)}
        left join lateral (
          ${selectPast(
            (table) => sql`
              select status, transaction_id, ledger_sequence from ${table}
              where id = placed."taskId" and sales_channel_id = placed."salesChannelId"`,
          )}
        ) as past on true
        where past.status is null
          or (past.status, past.transaction_id) is distinct from (placed.status, placed."transactionId")
          or past.ledger_sequence <> placed.sequence`,
  );
}

/** A record for an operator. */
export interface FoundRecord {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** Finds the task with the id, current or archived. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> => {
  const find = (table: Sql): Sql => sql`
    select 'task' as kind, jsonb_strip_nulls(jsonb_build_object(
      'taskId', id, 'type', operation, 'status', status, 'salesChannelId', sales_channel_id,
      'traderId', trader_id, 'transactionId', transaction_id, 'createdAt', ${isoTimestamp('created_at')}
    )) as facts
    from ${table} where id = ${id}`;
  return query(em, sql`${find(sql`task`)} union all ${selectPast(find)}`);
};
