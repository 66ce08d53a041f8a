import type { Database } from '@saleschannel/database';
import { DomainError, idempotencyKeyReused } from '@saleschannel/errors';
import type { Task } from '../domain/task.ts';
import { fingerprintOf, namedAs } from '../domain/transfer.ts';
import { keyText, type StoredRange, type TaskKey, type TaskOfRequest } from '../store/task-rows.ts';
import { findTasksByKey } from '../store/tasks.ts';
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
 * is refused with 'idempotency-key-reused'. Transfers with a fresh key are left out. A request of the previous
 * generation is the same as one of the current one for the same certificates on the same terms.
 */
export async function findReplays(
  database: Database,
  transfers: readonly AdmittedTransfer[],
): Promise<ReadonlyMap<AdmittedTransfer, Started | DomainError>> {
  if (transfers.length === 0) return new Map();
  const known = await attempt(() => readKnown(database, transfers));
  if (known instanceof DomainError) return new Map(transfers.map((transfer) => [transfer, known]));
  const found = new Map<AdmittedTransfer, Started | DomainError>();
  for (const transfer of transfers) {
    const task = known.get(keyText(keyOf(transfer)));
    if (!task) continue;
    const isSame = task.fingerprint === fingerprintAs(transfer, task.assets ?? []);
    found.set(transfer, isSame ? { task, replayed: true } : idempotencyKeyReused());
  }
  return found;
}

async function readKnown(
  database: Database,
  transfers: readonly AdmittedTransfer[],
): Promise<ReadonlyMap<string, TaskOfRequest>> {
  // By what it selected a request of the previous generation is known again.
  const withAssets = transfers.some(({ isOfPreviousGeneration }) => isOfPreviousGeneration);
  const tasks = await findTasksByKey(database.em(), transfers.map(keyOf), withAssets);
  return new Map(tasks.map((task) => [keyText(task), task]));
}

/**
 * The fingerprint that the stored request has if it is the same. What the serials of an old request name is looked up
 * in the stored one, for the certificates may have gone elsewhere since.
 */
function fingerprintAs(
  { transfer, isOfPreviousGeneration }: AdmittedTransfer,
  stored: readonly StoredRange[],
): string | undefined {
  const named = isOfPreviousGeneration ? namedAs(transfer, stored) : transfer;
  return named && fingerprintOf(named);
}
