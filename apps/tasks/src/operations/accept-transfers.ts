import type { EntityManager, Database } from '@saleschannel/database';
import { internal, requestRefused, DomainError, idempotencyKeyReused } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { currentLimit, runWithin, type WorkLimit } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import { taskMessages, type Task } from '../domain/task.ts';
import { computeFingerprint, toNotes, addIssuances, type CertificateRange } from '../domain/transfer.ts';
import { claimReferences, insertMetadata, releaseReferences } from '../store/references.ts';
import {
  insertTasks,
  type NewTask,
  findTasksByKey,
  toKeyText,
  type TaskKey,
  type TaskWithRequest,
} from '../store/tasks.ts';
import { attempt } from './attempt.ts';
import type { CheckedTransfer, AuthorizedTransfer } from './check-transfers.ts';

/** The lease on the account holders' answers has ended. Ask them again. */
export class LeaseEnded extends DomainError {
  constructor() {
    super('unavailable', 'The account holders did not answer in time. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Runs work whose transaction must not commit after the end of a lease. The process checks before each round trip, and
 * PostgreSQL checks at the commit, in case the process was suspended in between.
 * @param until end of the lease, on the `performance.now()` clock
 * @throws LeaseEnded, or the error of the work
 */
async function runWithinLease<T>(until: number, work: () => Promise<T>): Promise<T> {
  if (until === Infinity) return work();
  const outer = currentLimit();
  const limit: WorkLimit = {
    // Computed on each read, because the wall clock may be set meanwhile.
    get deadline() {
      return Math.min(outer?.deadline ?? Infinity, Date.now() + until - performance.now());
    },
    isCancelled: () => performance.now() >= until || outer?.isCancelled() === true,
  };
  try {
    return await runWithin(limit, work);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable' && performance.now() >= until)
      throw new LeaseEnded();
    throw error;
  }
}

export interface StartedTask {
  readonly task: Task;
  /** True if an earlier request created the task. */
  readonly replayed: boolean;
}

const toTaskKey = ({ salesChannelId, transfer: { type, idempotencyKey } }: AuthorizedTransfer): TaskKey => ({
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

type Dependencies = Pick<Context, 'database' | 'created' | 'announcer' | 'ends'>;

interface Candidate {
  readonly transfer: CheckedTransfer;
  readonly task: NewTask;
}

/**
 * Creates the tasks and announces them to the ledger, in one transaction. A transfer whose key is used gets the result
 * of {@link findReplays}. Any other transfer whose reference is used is refused.
 * @throws LeaseEnded, or DomainError 'unavailable'
 */
export async function acceptTransfers(
  dependencies: Dependencies,
  transfers: readonly CheckedTransfer[],
): Promise<(StartedTask | DomainError)[]> {
  const { database, created, ends } = dependencies;
  const candidates = transfers.map((transfer) => ({ transfer, task: createTask(transfer) }));
  const until = Math.min(...transfers.map(({ leaseEnd }) => leaseEnd));
  const { inserted, released } = await runWithinLease(until, () =>
    database.transaction((em) => storeTasks(em, dependencies, candidates)),
  );
  created.add(inserted.size);
  for (const { task } of candidates) if (inserted.has(task.id)) ends.addPending(task);
  const rest = candidates.filter(({ task }) => !inserted.has(task.id)).map(({ transfer }) => transfer);
  const replays = await findReplays(database, rest);
  const refused = rest.filter((transfer) => !replays.has(transfer));
  const retried = released ? await acceptAgain(dependencies, refused) : new Map();
  return candidates.map(({ transfer, task }) => {
    if (inserted.has(task.id)) return { task: toTask(task), replayed: false };
    return replays.get(transfer) ?? retried.get(transfer) ?? createRefusal(transfer);
  });
}

/**
 * Claims references before keys, and releases the references of transfers whose key was used. Transfers without a
 * reference skip the reference table.
 */
async function storeTasks(
  em: EntityManager,
  { announcer }: Dependencies,
  candidates: readonly Candidate[],
): Promise<{ inserted: ReadonlySet<string>; released: boolean }> {
  const referred = candidates.map(({ task }) => task).filter(hasReference);
  const claimed = referred.length === 0 ? new Set<string>() : await claimReferences(em, referred);
  const free = candidates.map(({ task }) => task).filter((task) => !hasReference(task) || claimed.has(task.id));
  const inserted = free.length === 0 ? new Set<string>() : await insertTasks(em, free);
  const stored = free.filter(({ id }) => inserted.has(id));
  const unused = referred.filter(({ id }) => claimed.has(id) && !inserted.has(id));
  releaseReferences(em, unused);
  insertMetadata(em, stored);
  announcer.announce(
    em,
    stored.map(({ request }) => request),
  );
  return { inserted, released: unused.length > 0 };
}

const hasReference = ({ request }: NewTask): boolean => request.externalReference !== undefined;

/**
 * Retries transfers whose reference another transfer of the call claimed and released. Each round has fewer of them.
 */
async function acceptAgain(
  dependencies: Dependencies,
  transfers: readonly CheckedTransfer[],
): Promise<ReadonlyMap<CheckedTransfer, StartedTask | DomainError>> {
  if (transfers.length === 0) return new Map();
  const results = await acceptTransfers(dependencies, transfers);
  return new Map(transfers.map((transfer, index) => [transfer, results[index] ?? internal()]));
}

/** Refuses a transfer with a free key. Reveals nothing about the task that has the reference. */
const createRefusal = ({ resolved }: CheckedTransfer): DomainError =>
  resolved.externalReference === undefined
    ? internal()
    : requestRefused('The reference names another transfer.', [
        {
          pointer: '#/externalReference',
          code: 'external-reference-used',
          detail: 'is already the reference of another transfer of the sales channel',
        },
      ]);

function createTask(checked: CheckedTransfer): NewTask {
  const { salesChannelId, resolved, destination, accountHolderId, autoApproval, traceparent, actor } = checked;
  const id = newId();
  const { traderId, idempotencyKey, assets } = resolved;
  const seller = { sellerId: traderId, ...(accountHolderId === undefined ? {} : { accountHolderId }) };
  return {
    id,
    ...toTaskKey(checked),
    fingerprint: computeFingerprint(resolved),
    traderId,
    request: {
      taskId: id,
      salesChannelId,
      ...seller,
      autoApproval,
      assets,
      ...(checked.isOfPreviousGeneration ? { selectsAnywhere: true } : {}),
      ...toNotes(resolved),
      traceparent,
      idempotencyKey,
      actor,
      ...destination,
    },
  };
}

const toTask = ({ id, idempotencyKey }: NewTask): Task => ({
  id,
  status: 'PENDING',
  idempotencyKey,
  message: taskMessages.waiting,
  transactionId: null,
});
