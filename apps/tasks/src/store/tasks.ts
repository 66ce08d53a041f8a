import type { TransactionStatusChanged, TransferRequested, TransferType } from '@saleschannel/contracts';
import { query, recordset, send, sql, type EntityManager, type Placed } from '@saleschannel/database';
import type { LedgerConflict } from '@saleschannel/messaging';
import type { Outcome, Task } from '../domain/task.ts';

/** What a task is unique by. */
export interface TaskKey {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly idempotencyKey: string;
}

export interface NewTask extends TaskKey {
  readonly id: string;
  readonly fingerprint: string;
  readonly traderId: string;
  readonly message: string;
  /** The transfer as it is announced to the ledger. */
  readonly request: TransferRequested;
}

/** A task together with what its request was. */
export interface TaskOfRequest extends Task, TaskKey {
  readonly fingerprint: string;
}

const taskColumns = sql`
  task.id, task.status, task.idempotency_key as "idempotencyKey", task.message, task.transaction_id as "transactionId"`;

/** A text for each key. Channels and types hold no slash. */
export const keyText = ({ salesChannelId, type, idempotencyKey }: TaskKey): string =>
  `${salesChannelId}/${type}/${idempotencyKey}`;

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
  message: 'text',
  request: 'jsonb',
} as const;

/**
 * Inserts the tasks whose key is free. Returns the ids of those. Of equal keys in one call the first one wins. Keys
 * are taken in one order, so that two calls with the same ones do not wait for each other in a circle.
 */
export async function insertTasks(em: EntityManager, tasks: readonly NewTask[]): Promise<ReadonlySet<string>> {
  const wanted = recordset('wanted', newTaskColumns, tasks.toSorted(byKey));
  const rows = await query<{ id: string }>(
    em,
    sql`insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, message, request)
        select wanted.id, wanted."salesChannelId", wanted.type, wanted."idempotencyKey", wanted.fingerprint,
          wanted."traderId", wanted.message, wanted.request
        from ${wanted}
        on conflict (sales_channel_id, operation, idempotency_key) do nothing
        returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The tasks of those of the keys that have one. One statement, one index look-up for each. */
export const findTasksByKey = (em: EntityManager, keys: readonly TaskKey[]): Promise<TaskOfRequest[]> => {
  const wanted = recordset('wanted', { salesChannelId: 'text', type: 'text', idempotencyKey: 'text' }, keys);
  return query(
    em,
    sql`select ${taskColumns}, task.sales_channel_id as "salesChannelId", task.operation as type, task.fingerprint
        from ${wanted}
        join task on task.sales_channel_id = wanted."salesChannelId" and task.operation = wanted.type
          and task.idempotency_key = wanted."idempotencyKey"`,
  );
};

/** Certificates as a stored request names them. */
export interface StoredRange {
  /** `<issuance id>_<serial>` */
  readonly start: string;
  /** `<issuance id>_<serial>` */
  readonly end: string;
}

/** What the requests of these tasks select, by the ids of the tasks. */
export async function findAssets(
  em: EntityManager,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRange[]>> {
  const rows = await query<{ id: string; assets: StoredRange[] }>(
    em,
    sql`select id, request -> 'assets' as assets from task where id = any(${taskIds}::text[])`,
  );
  return new Map(rows.map(({ id, assets }) => [id, assets]));
}

/** Where a task is, as the public API names it: at any other place it is not found. */
export interface TaskPlace {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly traderId: string;
  readonly id: string;
}

const placeColumns = { index: 'int', salesChannelId: 'text', type: 'text', traderId: 'text', id: 'text' } as const;

/** The tasks at these places. */
export const findTasks = (em: EntityManager, places: readonly Placed<TaskPlace>[]): Promise<Placed<Task>[]> =>
  query(
    em,
    sql`select wanted.index, ${taskColumns}
        from ${recordset('wanted', placeColumns, places)}
        join task on task.id = wanted.id and task.sales_channel_id = wanted."salesChannelId"
          and task.operation = wanted.type and task.trader_id = wanted."traderId"`,
  );

/**
 * Those of the changes that the tasks cannot agree with: another task has their place in the ledger's order, or theirs
 * ended in another way. `known` is null where there is no such task.
 */
export function findDisagreements(
  em: EntityManager,
  changes: readonly TransactionStatusChanged[],
): Promise<(Omit<LedgerConflict, 'known'> & { known: string | null })[]> {
  const columns = {
    salesChannelId: 'text',
    sequence: 'bigint',
    transactionId: 'text',
    taskId: 'text',
    status: 'text',
  } as const;
  return query(
    em,
    sql`select placed."salesChannelId", placed.sequence, placed."transactionId",
          case
            when other.id is not null then format('that of task %s', other.id)
            when task.id is not null
              then format('%s of transaction %s, sequence %s', task.status, task.transaction_id, task.ledger_sequence)
          end as known
        from ${recordset('placed', columns, changes)}
        left join task on task.id = placed."taskId"
        left join task as other on other.sales_channel_id = placed."salesChannelId"
          and other.ledger_sequence = placed.sequence and other.id <> placed."taskId"
        where task.id is null or other.id is not null or task.status <> 'PENDING' and (
          (task.status, task.transaction_id) is distinct from (placed.status, placed."transactionId")
          or task.ledger_sequence <> placed.sequence
        )`,
  );
}

/** Writes what became of tasks that are still open. A task that has ended stays as it is. */
export function applyOutcomes(em: EntityManager, outcomes: readonly Outcome[]): void {
  // Rows are locked in one order, so that two batches with the same tasks do not wait for each other in a circle.
  const sorted = outcomes.toSorted((one, other) => (one.taskId < other.taskId ? -1 : 1));
  const columns = {
    taskId: 'text',
    status: 'text',
    message: 'text',
    transactionId: 'text',
    sequence: 'bigint',
  } as const;
  send(
    em,
    sql`update task set status = outcome.status, message = outcome.message,
          transaction_id = coalesce(outcome."transactionId", task.transaction_id),
          ledger_sequence = outcome.sequence, updated_at = now()
        from ${recordset('outcome', columns, sorted)}
        where task.id = outcome."taskId" and task.status = 'PENDING'`,
  );
}
