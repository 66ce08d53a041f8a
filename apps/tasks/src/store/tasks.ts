import type { TransferRequested, TransferType } from '@saleschannel/contracts';
import {
  isoTimestamp,
  query,
  raw,
  recordset,
  send,
  sql,
  type EntityManager,
  type Indexed,
  type Sql,
} from '@saleschannel/database';
import { taskMessages, type Task } from '../domain/task.ts';
import type { CertificateRange } from '../domain/transfer.ts';

/** The unique key of a task. */
export interface TaskKey {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly idempotencyKey: string;
}

/** A task with data of its request. */
export interface TaskWithRequest extends Task, TaskKey {
  readonly fingerprint: string;
  /** The selections. Null unless requested. */
  readonly assets: readonly CertificateRange[] | null;
}

/** Columns of the row `task`. */
export const taskColumns = sql`
  task.id, task.status, task.idempotency_key as "idempotencyKey", task.message, task.transaction_id as "transactionId"`;

/** Converts a key to a unique text: channel ids and types contain no slash. */
export const toKeyText = ({ salesChannelId, type, idempotencyKey }: TaskKey): string =>
  `${salesChannelId}/${type}/${idempotencyKey}`;

const keyColumns = { salesChannelId: 'text', type: 'text', idempotencyKey: 'text' } as const;

/** A task's path in the public API. It is not found under any other path. */
export interface TaskPath {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly traderId: string;
  readonly id: string;
}

const pathColumns = {
  index: 'int',
  salesChannelId: 'text',
  type: 'text',
  traderId: 'text',
  id: 'text',
} as const;

/** Columns of a status change. */
export const changeColumns = {
  salesChannelId: 'text',
  sequence: 'bigint',
  transactionId: 'text',
  taskId: 'text',
  status: 'text',
} as const;

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
export async function findTasks(em: EntityManager, paths: readonly Indexed<TaskPath>[]): Promise<Indexed<Task>[]> {
  const found = await query<Indexed<Task>>(
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

/**
 * Tasks that ended long ago: in the archive, or in `task_before` until the job archives them. The statements below name
 * both tables `task`.
 */

/** Runs the same look-up in both tables. */
export const selectPast = (find: (table: Sql) => Sql): Sql =>
  sql`${find(raw('task_archive as task'))} union all ${find(raw('task_before as task'))}`;

const isOfKey = sql`
  task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
  and task.idempotency_key = wanted."idempotencyKey"`;

const archivedByKey = sql`
  archived_key join task_archive as task on task.id = archived_key.task_id and task.ended_at = archived_key.ended_at`;
const hasHash = sql`
  archived_key.key_hash = task_key_hash(wanted."salesChannelId", wanted.type, wanted."idempotencyKey")`;

/** Matches rows `wanted` whose key has no task in either table. */
const isFreshKey = sql`
  not exists (select from ${archivedByKey} where ${hasHash} and ${isOfKey})
  and not exists (select from task_before as task where ${isOfKey})`;

/** Finds the tasks of the keys. Leaves out keys without one. */
const findPastTasksByKey = (
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
const findPastTasks = (em: EntityManager, paths: readonly Indexed<TaskPath>[]): Promise<Indexed<Task>[]> =>
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

/** A record for an operator. */
interface FoundRecord {
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
