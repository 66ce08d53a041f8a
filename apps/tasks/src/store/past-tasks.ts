import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { query, raw, recordset, sql, type EntityManager, type Placed, type Sql } from '@saleschannel/database';
import type { Task } from '../domain/task.ts';
import type { Disagreement } from './outcomes.ts';
import {
  changeColumns,
  keyColumns,
  placeColumns,
  taskColumns,
  type TaskKey,
  type TaskOfRequest,
  type TaskPlace,
} from './task-rows.ts';

/**
 * Tasks that ended long ago: in the archive, and those that ended before there was one, until the job has brought them
 * there. Both are named `task` in the statements below.
 */

/** The same look-up in both. */
export const inThePast = (find: (table: Sql) => Sql): Sql =>
  sql`${find(raw('task_archive as task'))} union all ${find(raw('task_before as task'))}`;

const isOfKey = sql`
  task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
  and task.idempotency_key = wanted."idempotencyKey"`;

const archivedByKey = sql`
  archived_key join task_archive as task on task.id = archived_key.task_id and task.ended_at = archived_key.ended_at`;
const hasHash = sql`
  archived_key.key_hash = task_key_hash(wanted."salesChannelId", wanted.type, wanted."idempotencyKey")`;

/** Whether the key of a row `wanted` has no task that ended long ago. */
export const isFreshKey = sql`
  not exists (select from ${archivedByKey} where ${hasHash} and ${isOfKey})
  and not exists (select from task_before as task where ${isOfKey})`;

/** The tasks of those of the keys that have one. */
export const findPastTasksByKey = (
  em: EntityManager,
  keys: readonly TaskKey[],
  withAssets: boolean,
): Promise<TaskOfRequest[]> => {
  const found = (assets: Sql): Sql => sql`
    ${taskColumns}, task.sales_channel_id as "salesChannelId", task.operation as type, task.fingerprint,
    case when ${withAssets}::boolean then ${assets} end as assets`;
  return query(
    em,
    sql`with wanted as materialized (select * from ${recordset('given', keyColumns, keys)})
        select ${found(sql`task.assets`)} from wanted join ${archivedByKey} on ${hasHash} where ${isOfKey}
        union all
        select ${found(sql`task.request -> 'assets'`)} from wanted join task_before as task on ${isOfKey}`,
  );
};

/** The tasks at these places. */
export const findPastTasks = (em: EntityManager, places: readonly Placed<TaskPlace>[]): Promise<Placed<Task>[]> =>
  query(
    em,
    sql`with wanted as materialized (select * from ${recordset('given', placeColumns, places)})
        ${inThePast(
          (table) => sql`
            select wanted.index, ${taskColumns} from wanted
            join ${table} on task.id = wanted.id and task.sales_channel_id = wanted."salesChannelId"
              and task.operation = wanted.type and task.trader_id = wanted."traderId"`,
        )}`,
  );

/** Those of the changes whose task ended long ago in another way, and those that have no task at all. */
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
          ${inThePast(
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
