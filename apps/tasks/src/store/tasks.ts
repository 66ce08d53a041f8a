import type { TransferRequested } from '@saleschannel/contracts';
import { query, recordset, send, sql, type EntityManager, type Placed } from '@saleschannel/database';
import { taskMessages, type Task } from '../domain/task.ts';
import { findPastTasks, findPastTasksByKey, isFreshKey } from './past-tasks.ts';
import {
  keyColumns,
  toKeyText,
  pathColumns,
  taskColumns,
  type TaskKey,
  type TaskWithRequest,
  type TaskPath,
} from './task-rows.ts';

export interface NewTask extends TaskKey {
  readonly id: string;
  readonly fingerprint: string;
  readonly traderId: string;
  /** The announcement to the ledger. */
  readonly request: TransferRequested;
}

const byKey = (one: TaskKey, other: TaskKey): number => {
  const [a, b] = [toKeyText(one), toKeyText(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const newTaskColumns = {
  id: 'text',
  salesChannelId: 'text',
  type: 'text',
  idempotencyKey: 'text',
  fingerprint: 'text',
  traderId: 'text',
  request: 'text',
  assets: 'jsonb',
} as const;

const toRow = ({ request, ...task }: NewTask) => ({
  ...task,
  request: JSON.stringify(request),
  assets: request.assets.map(({ start, end }) => ({ start, end })),
});

/**
 * Inserts the tasks whose key is free, and returns their ids. The first of equal keys in a call wins. Inserts in a
 * fixed order to avoid deadlocks between calls.
 */
export async function insertTasks(em: EntityManager, tasks: readonly NewTask[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(
    em,
    sql`with wanted as materialized (
          select * from ${recordset('given', newTaskColumns, tasks.toSorted(byKey).map(toRow))}
        ), waits as (
          insert into waiting_task (sales_channel_id, task_id, request)
          select "salesChannelId", id, request from wanted
        )
        insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
        select wanted.id, wanted."salesChannelId", wanted.type, wanted."idempotencyKey", wanted.fingerprint,
          wanted."traderId", wanted.assets, ${taskMessages.waiting}
        from wanted where ${isFreshKey}
        on conflict (sales_channel_id, operation, idempotency_key) do nothing
        returning id`,
  );
  const inserted = new Set(rows.map(({ id }) => id));
  if (inserted.size < tasks.length) {
    // Cheaper than a join that would keep retries out of `waiting_task` in every insert.
    const repeated = tasks.filter(({ id }) => !inserted.has(id));
    const columns = { salesChannelId: 'text', id: 'text' } as const;
    send(
      em,
      sql`delete from waiting_task using ${recordset('repeated', columns, repeated)}
          where waiting_task.sales_channel_id = repeated."salesChannelId" and waiting_task.task_id = repeated.id`,
    );
  }
  return inserted;
}

/**
 * Finds the tasks of the keys, current or archived. Leaves out keys without one.
 * @param withAssets whether to read the selections
 */
export async function findTasksByKey(
  em: EntityManager,
  keys: readonly TaskKey[],
  withAssets: boolean,
): Promise<TaskWithRequest[]> {
  const found = await query<TaskWithRequest>(
    em,
    sql`select ${taskColumns}, task.sales_channel_id as "salesChannelId", task.operation as type, task.fingerprint,
          case when ${withAssets}::boolean then task.assets end as assets
        from ${recordset('wanted', keyColumns, keys)}
        join task on task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
          and task.idempotency_key = wanted."idempotencyKey"`,
  );
  const foundKeys = new Set(found.map(toKeyText));
  const missing = keys.filter((key) => !foundKeys.has(toKeyText(key)));
  return missing.length === 0 ? found : [...found, ...(await findPastTasksByKey(em, missing, withAssets))];
}

/** Finds tasks by their paths, current or archived. */
export async function findTasks(em: EntityManager, paths: readonly Placed<TaskPath>[]): Promise<Placed<Task>[]> {
  const found = await query<Placed<Task>>(
    em,
    sql`select wanted.index, ${taskColumns}
        from ${recordset('wanted', pathColumns, paths)}
        join task on task.id = wanted.id and task.sales_channel_id = wanted."salesChannelId"
          and task.operation = wanted.type and task.trader_id = wanted."traderId"`,
  );
  const foundIndexes = new Set(found.map(({ index }) => index));
  const missing = paths.filter(({ index }) => !foundIndexes.has(index));
  return missing.length === 0 ? found : [...found, ...(await findPastTasks(em, missing))];
}
