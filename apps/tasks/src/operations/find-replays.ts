import type { Database } from '@saleschannel/database';
import { DomainError, idempotencyKeyReused } from '@saleschannel/errors';
import type { Task } from '../domain/task.ts';
import { findTasksByKey, keyText, type TaskKey } from '../store/tasks.ts';
import type { AdmittedTransfer } from './admit-transfer.ts';
import { attempt } from './attempt.ts';

/** The task of a transfer. */
export interface Started {
  readonly task: Task;
  /** True when an earlier request made the task. */
  readonly replayed: boolean;
}

export const keyOf = ({ salesChannelId, transfer: { type, idempotencyKey } }: AdmittedTransfer): TaskKey => ({
  salesChannelId,
  type,
  idempotencyKey,
});

/**
 * Finds the transfers whose key was used before. The same request gets its task as it is now, another request
 * is refused with 'idempotency-key-reused'. Transfers with a fresh key are left out.
 */
export async function findReplays(
  database: Database,
  transfers: readonly AdmittedTransfer[],
): Promise<ReadonlyMap<AdmittedTransfer, Started | DomainError>> {
  if (transfers.length === 0) return new Map();
  const tasks = await attempt(() => findTasksByKey(database.em(), transfers.map(keyOf)));
  if (tasks instanceof DomainError) return new Map(transfers.map((transfer) => [transfer, tasks]));
  const byKey = new Map(tasks.map((task) => [keyText(task), task]));
  const found = new Map<AdmittedTransfer, Started | DomainError>();
  for (const transfer of transfers) {
    const task = byKey.get(keyText(keyOf(transfer)));
    if (!task) continue;
    const isSame = task.fingerprint === transfer.fingerprint;
    found.set(transfer, isSame ? { task, replayed: true } : idempotencyKeyReused());
  }
  return found;
}
