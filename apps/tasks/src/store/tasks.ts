import type { TransferRequested } from '@saleschannel/contracts';
import { query, recordset, send, sql, type EntityManager, type Placed } from '@saleschannel/database';
import { taskMessages, type Task } from '../domain/task.ts';
import { findPastTasks, findPastTasksByKey, isFreshKey } from './past-tasks.ts';
import {
  keyColumns,
  keyText,
  placeColumns,
  taskColumns,
  type TaskKey,
  type TaskOfRequest,
  type TaskPlace,
} from './task-rows.ts';

export interface NewTask extends TaskKey {
  readonly id: string;
  readonly fingerprint: string;
  readonly traderId: string;
  /** The transfer as it is announced to the ledger. */
  readonly request: TransferRequested;
}

const byKey = (one: TaskKey, other: TaskKey): number => {
  const [a, b] = [keyText(one), keyText(other)];
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

const rowOf = ({ request, ...task }: NewTask) => ({
  ...task,
  request: JSON.stringify(request),
  assets: request.assets.map(({ start, end }) => ({ start, end })),
});

/**
 * Inserts the tasks whose key is free, to wait for the ledger. Returns the ids of those. Of equal keys in one call the
 * first one wins. Keys are taken in one order, so that two calls with the same ones do not wait for each other in a
 * circle.
 */
export async function insertTasks(em: EntityManager, tasks: readonly NewTask[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(
    em,
    sql`with wanted as materialized (
          select * from ${recordset('given', newTaskColumns, tasks.toSorted(byKey).map(rowOf))}
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
  const made = new Set(rows.map(({ id }) => id));
  if (made.size < tasks.length) {
    // What was not made waits for nothing. To find that out before would cost all others a join.
    const repeated = tasks.filter(({ id }) => !made.has(id));
    const columns = { salesChannelId: 'text', id: 'text' } as const;
    send(
      em,
      sql`delete from waiting_task using ${recordset('repeated', columns, repeated)}
          where waiting_task.sales_channel_id = repeated."salesChannelId" and waiting_task.task_id = repeated.id`,
    );
  }
  return made;
}

/**
 * The tasks of those of the keys that have one, however long ago it ended.
 * @param withAssets whether with what their requests selected
 */
export async function findTasksByKey(
  em: EntityManager,
  keys: readonly TaskKey[],
  withAssets: boolean,
): Promise<TaskOfRequest[]> {
  const found = await query<TaskOfRequest>(
    em,
    sql`select ${taskColumns}, task.sales_channel_id as "salesChannelId", task.operation as type, task.fingerprint,
          case when ${withAssets}::boolean then task.assets end as assets
        from ${recordset('wanted', keyColumns, keys)}
        join task on task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
          and task.idempotency_key = wanted."idempotencyKey"`,
  );
  const there = new Set(found.map(keyText));
  const missing = keys.filter((key) => !there.has(keyText(key)));
  return missing.length === 0 ? found : [...found, ...(await findPastTasksByKey(em, missing, withAssets))];
}

/** The tasks at these places, however long ago they ended. */
export async function findTasks(em: EntityManager, places: readonly Placed<TaskPlace>[]): Promise<Placed<Task>[]> {
  const found = await query<Placed<Task>>(
    em,
    sql`select wanted.index, ${taskColumns}
        from ${recordset('wanted', placeColumns, places)}
        join task on task.id = wanted.id and task.sales_channel_id = wanted."salesChannelId"
          and task.operation = wanted.type and task.trader_id = wanted."traderId"`,
  );
  const there = new Set(found.map(({ index }) => index));
  const missing = places.filter(({ index }) => !there.has(index));
  return missing.length === 0 ? found : [...found, ...(await findPastTasks(em, missing))];
}
