import type { EntityManager } from '@saleschannel/database';
import { internal, requestRefused, type DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { taskMessages, type Task } from '../domain/task.ts';
import { computeFingerprint, toNotes } from '../domain/transfer.ts';
import { claimReferences, insertMetadata, releaseReferences } from '../store/references.ts';
import { insertTasks, type NewTask } from '../store/tasks.ts';
import type { CheckedTransfer } from './check-transfers.ts';
import { findReplays, toTaskKey, type StartedTask } from './find-replays.ts';
import { runWithinLease } from './within-lease.ts';

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
