import type { Database } from '@saleschannel/database';
import { DomainError, idempotencyKeyReused } from '@saleschannel/errors';
import type { Task } from '../domain/task.ts';
import { fingerprintOf, namedAs, type CertificateRange } from '../domain/transfer.ts';
import { keyText, type TaskKey, type TaskOfRequest } from '../store/task-rows.ts';
import { findTasksByKey } from '../store/tasks.ts';
import type { AdmittedTransfer } from './authorize-transfer.ts';
import { attempt } from './attempt.ts';

export interface Started {
  readonly task: Task;
  /** True if an earlier request created the task. */
  readonly replayed: boolean;
}

export const keyOf = ({ salesChannelId, transfer: { type, idempotencyKey } }: AdmittedTransfer): TaskKey => ({
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
  transfers: readonly AdmittedTransfer[],
): Promise<ReadonlyMap<AdmittedTransfer, Started | DomainError>> {
  if (transfers.length === 0) return new Map();
  const tasks = await attempt(() => findTasks(database, transfers));
  if (tasks instanceof DomainError) return new Map(transfers.map((transfer) => [transfer, tasks]));
  const found = new Map<AdmittedTransfer, Started | DomainError>();
  for (const transfer of transfers) {
    const task = tasks.get(keyText(keyOf(transfer)));
    if (!task) continue;
    const isSame = task.fingerprint === fingerprintWith(transfer, task.assets ?? []);
    found.set(transfer, isSame ? { task, replayed: true } : idempotencyKeyReused());
  }
  return found;
}

async function findTasks(
  database: Database,
  transfers: readonly AdmittedTransfer[],
): Promise<ReadonlyMap<string, TaskOfRequest>> {
  // Only requests of the previous generation are compared by their selections.
  const withAssets = transfers.some(({ isOfPreviousGeneration }) => isOfPreviousGeneration);
  const tasks = await findTasksByKey(database.em(), transfers.map(keyOf), withAssets);
  return new Map(tasks.map((task) => [keyText(task), task]));
}

/**
 * Computes the fingerprint of a request. Serials of the previous generation get the issuances of the stored request,
 * because the certificates may have moved since.
 */
function fingerprintWith(
  { transfer, isOfPreviousGeneration }: AdmittedTransfer,
  stored: readonly CertificateRange[],
): string | undefined {
  const resolved = isOfPreviousGeneration ? namedAs(transfer, stored) : transfer;
  return resolved && fingerprintOf(resolved);
}
