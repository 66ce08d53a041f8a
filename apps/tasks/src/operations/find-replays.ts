import type { Database } from '@saleschannel/database';
import { DomainError, idempotencyKeyReused } from '@saleschannel/errors';
import type { Task } from '../domain/task.ts';
import { computeFingerprint, addIssuances, type CertificateRange } from '../domain/transfer.ts';
import { toKeyText, type TaskKey, type TaskWithRequest } from '../store/task-rows.ts';
import { findTasksByKey } from '../store/tasks.ts';
import type { AuthorizedTransfer } from './authorize-transfer.ts';
import { attempt } from './attempt.ts';

export interface StartedTask {
  readonly task: Task;
  /** True if an earlier request created the task. */
  readonly replayed: boolean;
}

export const toTaskKey = ({ salesChannelId, transfer: { type, idempotencyKey } }: AuthorizedTransfer): TaskKey => ({
  salesChannelId,
  type,
  idempotencyKey,
});

/**
 * Finds the transfers with a used key. An equal request gets its current task; another request is refused with
 * 'idempotency-key-reused'. Transfers with a free key are left out. Requests of the previous and the current generation
 * are equal if they have the same certificates and terms.
 */
export async function findReplays(
  database: Database,
  transfers: readonly AuthorizedTransfer[],
): Promise<ReadonlyMap<AuthorizedTransfer, StartedTask | DomainError>> {
  if (transfers.length === 0) return new Map();
  const tasks = await attempt(() => findTasks(database, transfers));
  if (tasks instanceof DomainError) return new Map(transfers.map((transfer) => [transfer, tasks]));
  const found = new Map<AuthorizedTransfer, StartedTask | DomainError>();
  for (const transfer of transfers) {
    const task = tasks.get(toKeyText(toTaskKey(transfer)));
    if (!task) continue;
    const isSame = task.fingerprint === fingerprintWith(transfer, task.assets ?? []);
    found.set(transfer, isSame ? { task, replayed: true } : idempotencyKeyReused());
  }
  return found;
}

async function findTasks(
  database: Database,
  transfers: readonly AuthorizedTransfer[],
): Promise<ReadonlyMap<string, TaskWithRequest>> {
  // Only requests of the previous generation are compared by their selections.
  const withAssets = transfers.some(({ isOfPreviousGeneration }) => isOfPreviousGeneration);
  const tasks = await findTasksByKey(database.em(), transfers.map(toTaskKey), withAssets);
  return new Map(tasks.map((task) => [toKeyText(task), task]));
}

/**
 * Computes the fingerprint of a request. Serials of the previous generation get the issuances of the stored request,
 * because the certificates may have moved since.
 */
function fingerprintWith(
  { transfer, isOfPreviousGeneration }: AuthorizedTransfer,
  stored: readonly CertificateRange[],
): string | undefined {
  const resolved = isOfPreviousGeneration ? addIssuances(transfer, stored) : transfer;
  return resolved && computeFingerprint(resolved);
}
