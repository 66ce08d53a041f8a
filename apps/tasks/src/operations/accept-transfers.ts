import { internal, type DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { taskMessages, type Task } from '../domain/task.ts';
import { fingerprintOf, selectionsOf } from '../domain/transfer.ts';
import { insertTasks, type NewTask } from '../store/tasks.ts';
import type { CheckedTransfer } from './check-transfers.ts';
import { findReplays, keyOf, type Started } from './find-replays.ts';

/**
 * Makes the tasks and announces them to the ledger, in one transaction. A transfer whose key has a task already is
 * answered as {@link findReplays} says.
 */
export async function acceptTransfers(
  { database, created, announcer }: Pick<Context, 'database' | 'created' | 'announcer'>,
  transfers: readonly CheckedTransfer[],
): Promise<(Started | DomainError)[]> {
  const wanted = transfers.map((transfer) => ({ transfer, task: newTask(transfer) }));
  const inserted = await database.transaction(async (em) => {
    const ids = await insertTasks(
      em,
      wanted.map(({ task }) => task),
    );
    const made = wanted.filter(({ task }) => ids.has(task.id));
    announcer.transfers(
      em,
      made.map(({ task }) => task.request),
    );
    return ids;
  });
  created.add(inserted.size);
  const repeated = wanted.filter(({ task }) => !inserted.has(task.id)).map(({ transfer }) => transfer);
  const replays = await findReplays(database, repeated);
  return wanted.map(({ transfer, task }) => {
    if (inserted.has(task.id)) return { task: asMade(task), replayed: false };
    return replays.get(transfer) ?? internal();
  });
}

function newTask(checked: CheckedTransfer): NewTask {
  const { salesChannelId, named, destination, accountHolderId, autoApproval, traceparent, actor } = checked;
  const id = newId();
  const { traderId } = named;
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
      traceparent,
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
