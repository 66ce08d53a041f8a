import type { TransferRequested } from '@saleschannel/contracts';
import { query, type EntityManager } from '@saleschannel/database';
import type { Operation } from '../domain/transfer.ts';

export type TaskStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';

export interface TaskRow {
  id: string;
  sales_channel_id: string;
  operation: Operation;
  idempotency_key: string;
  fingerprint: string;
  status: TaskStatus;
  message: string;
  transaction_id: string | null;
}

export interface NewTask {
  id: string;
  salesChannelId: string;
  operation: Operation;
  idempotencyKey: string;
  fingerprint: string;
  traderId: string;
  message: string;
  request: TransferRequested;
}

export interface TaskKey {
  salesChannelId: string;
  operation: Operation;
  idempotencyKey: string;
}

const columns =
  't.id, t.sales_channel_id, t.operation, t.idempotency_key, t.fingerprint, t.status, t.message, t.transaction_id';

const keyText = ({ salesChannelId, operation, idempotencyKey }: TaskKey): string =>
  `${salesChannelId}/${operation}/${idempotencyKey}`;

/**
 * Inserts the tasks whose key is free; returns the ids of those. Of equal keys in one call the first one wins. Keys are taken in one order, so that two calls with
 * the same ones do not wait for each other in a circle.
 */
export async function insertTasks(em: EntityManager, tasks: readonly NewTask[]): Promise<Set<string>> {
  const sorted = tasks.toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : keyText(a) > keyText(b) ? 1 : 0));
  const rows = await query<{ id: string }>(
    em,
    `insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, message, request)
     select id, "salesChannelId", operation, "idempotencyKey", fingerprint, "traderId", message, request
     from jsonb_to_recordset(?::jsonb) as r(id text, "salesChannelId" text, operation text, "idempotencyKey" text, fingerprint text, "traderId" text,
       message text, request jsonb)
     on conflict (sales_channel_id, operation, idempotency_key) do nothing returning id`,
    [JSON.stringify(sorted)],
  );
  return new Set(rows.map((row) => row.id));
}

export const findTasksByKey = (em: EntityManager, keys: readonly TaskKey[]): Promise<TaskRow[]> =>
  query<TaskRow>(
    em,
    `select ${columns} from jsonb_to_recordset(?::jsonb) as r("salesChannelId" text, operation text, "idempotencyKey" text)
     join task t on t.sales_channel_id = r."salesChannelId" and t.operation = r.operation and t.idempotency_key = r."idempotencyKey"`,
    [JSON.stringify(keys)],
  );

export async function findTask(
  em: EntityManager,
  salesChannelId: string,
  operation: Operation,
  traderId: string,
  id: string,
): Promise<TaskRow | undefined> {
  const [row] = await query<TaskRow>(
    em,
    `select ${columns} from task t where t.id = ? and t.sales_channel_id = ? and t.operation = ? and t.trader_id = ?`,
    [id, salesChannelId, operation, traderId],
  );
  return row;
}

export interface Outcome {
  taskId: string;
  status: TaskStatus;
  message: string;
  transactionId: string | null;
}

/** Writes what became of tasks that are still open; one that has ended stays as it is. Rows are locked in the order given: callers sort by id. */
export async function applyOutcomes(em: EntityManager, outcomes: readonly Outcome[]): Promise<void> {
  await query(
    em,
    `update task t set status = r.status, message = r.message, transaction_id = coalesce(r."transactionId", t.transaction_id), updated_at = now()
     from jsonb_to_recordset(?::jsonb) as r("taskId" text, status text, message text, "transactionId" text)
     where t.id = r."taskId" and t.status = 'PENDING'`,
    [JSON.stringify(outcomes)],
  );
}

/** Takes tasks that the ledger has not answered for so long; each is taken by one replica. */
export const takeForgotten = (
  em: EntityManager,
  olderThanSeconds: number,
  atMost: number,
): Promise<{ request: TransferRequested }[]> =>
  query(
    em,
    `with forgotten as materialized (
       select id from task where status = 'PENDING' and transaction_id is null and announced_at < now() - make_interval(secs => ?)
       order by announced_at limit ? for update skip locked)
     update task set announced_at = now() from forgotten where task.id = forgotten.id
     returning request`,
    [olderThanSeconds, atMost],
  );

/** True while announcements wait for the broker: announcing again would only add to them. */
export async function hasUnpublished(em: EntityManager): Promise<boolean> {
  const rows = await query(em, 'select 1 as one from outbox limit 1');
  return rows.length > 0;
}

export async function countWaiting(em: EntityManager): Promise<number> {
  const [row] = await query<{ count: string }>(
    em,
    "select count(*)::text as count from task where status = 'PENDING' and transaction_id is null",
  );
  return Number(row?.count ?? '0');
}
