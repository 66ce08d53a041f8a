import type { EntityManager } from '@saleschannel/database';
import { internal, requestRefused, type DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { taskMessages, type Task } from '../domain/task.ts';
import { fingerprintOf, notesOf, selectionsOf } from '../domain/transfer.ts';
import { claimReferences, insertMetadata, releaseReferences } from '../store/references.ts';
import { insertTasks, type NewTask } from '../store/tasks.ts';
import type { CheckedTransfer } from './check-transfers.ts';
import { findReplays, keyOf, type Started } from './find-replays.ts';
import { withinLease } from './within-lease.ts';

type Dependencies = Pick<Context, 'database' | 'created' | 'announcer' | 'ends'>;

interface Wanted {
  readonly transfer: CheckedTransfer;
  readonly task: NewTask;
}

/**
 * Makes the tasks and announces them to the ledger, in one transaction. A transfer whose key has a task already is
 * answered as {@link findReplays} says, and any other one whose reference is used is refused.
 * @throws LeaseEnded, or DomainError 'unavailable'
 */
export async function acceptTransfers(
  dependencies: Dependencies,
  transfers: readonly CheckedTransfer[],
): Promise<(Started | DomainError)[]> {
  const { database, created, ends } = dependencies;
  const wanted = transfers.map((transfer) => ({ transfer, task: newTask(transfer) }));
  const until = Math.min(...transfers.map(({ holdersUntil }) => holdersUntil));
  const { inserted, released } = await withinLease(until, () =>
    database.transaction((em) => makeTasks(em, dependencies, wanted)),
  );
  created.add(inserted.size);
  for (const { task } of wanted) if (inserted.has(task.id)) ends.made(task);
  const repeated = wanted.filter(({ task }) => !inserted.has(task.id)).map(({ transfer }) => transfer);
  const replays = await findReplays(database, repeated);
  const unmade = repeated.filter((transfer) => !replays.has(transfer));
  const others = released ? await acceptAgain(dependencies, unmade) : new Map();
  return wanted.map(({ transfer, task }) => {
    if (inserted.has(task.id)) return { task: asMade(task), replayed: false };
    return replays.get(transfer) ?? others.get(transfer) ?? refusalOf(transfer);
  });
}

/**
 * In a transaction. Whoever has no reference pays nothing for those who have: references are taken before the keys, and
 * given back where a key turned out to be used.
 */
async function makeTasks(
  em: EntityManager,
  { announcer }: Dependencies,
  wanted: readonly Wanted[],
): Promise<{ inserted: ReadonlySet<string>; released: boolean }> {
  const referred = wanted.map(({ task }) => task).filter(hasReference);
  const claimed = referred.length === 0 ? new Set<string>() : await claimReferences(em, referred);
  const free = wanted.map(({ task }) => task).filter((task) => !hasReference(task) || claimed.has(task.id));
  const inserted = free.length === 0 ? new Set<string>() : await insertTasks(em, free);
  const made = free.filter(({ id }) => inserted.has(id));
  const unused = referred.filter(({ id }) => claimed.has(id) && !inserted.has(id));
  releaseReferences(em, unused);
  insertMetadata(em, made);
  announcer.transfers(
    em,
    made.map(({ request }) => request),
  );
  return { inserted, released: unused.length > 0 };
}

const hasReference = ({ request }: NewTask): boolean => request.externalReference !== undefined;

/** Transfers whose reference was taken by one of the same call that gave it back. There are fewer of them each time. */
async function acceptAgain(
  dependencies: Dependencies,
  transfers: readonly CheckedTransfer[],
): Promise<ReadonlyMap<CheckedTransfer, Started | DomainError>> {
  if (transfers.length === 0) return new Map();
  const results = await acceptTransfers(dependencies, transfers);
  return new Map(transfers.map((transfer, index) => [transfer, results[index] ?? internal()]));
}

/** Of a transfer that was not made, and whose key has no task. Nothing is told of the task that has the reference. */
const refusalOf = ({ named }: CheckedTransfer): DomainError =>
  named.externalReference === undefined
    ? internal()
    : requestRefused('The reference names another transfer.', [
        {
          pointer: '#/externalReference',
          code: 'external-reference-used',
          detail: 'was given to another transfer of the sales channel before',
        },
      ]);

function newTask(checked: CheckedTransfer): NewTask {
  const { salesChannelId, named, destination, accountHolderId, autoApproval, traceparent, actor } = checked;
  const id = newId();
  const { traderId, idempotencyKey } = named;
  const assets = selectionsOf(named);
  const seller = { sellerId: traderId, ...(accountHolderId === undefined ? {} : { accountHolderId }) };
  return {
    id,
    ...keyOf(checked),
    fingerprint: fingerprintOf(named),
    traderId,
    request: {
      taskId: id,
      salesChannelId,
      ...seller,
      autoApproval,
      assets,
      ...(checked.isOfPreviousGeneration ? { selectsAnywhere: true } : {}),
      ...notesOf(named),
      traceparent,
      idempotencyKey,
      actor,
      ...destination,
    },
  };
}

const asMade = ({ id, idempotencyKey }: NewTask): Task => ({
  id,
  status: 'PENDING',
  idempotencyKey,
  message: taskMessages.waiting,
  transactionId: null,
});
