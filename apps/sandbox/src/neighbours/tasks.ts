import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '@saleschannel/errors';
import { errorOf, type Call, type ReplyOf, type SentTo, type ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';

export type Task = ReplyOf<'tasks.GetTask'>;
type Transfer = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>[number];
export type Terms = Pick<Transfer, 'trade' | 'retirement' | 'offramp'>;
type TransferType = NonNullable<SentTo<'tasks.GetTask'>['type']>;

/** Tasks of one trader, in the name of who calls. */
export interface Transfers {
  readonly tasks: ServiceClient<'tasks'>;
  readonly type: TransferType;
  readonly traderId: string;
}

/** Between two looks at a task. */
const LOOK_MS = 50;
/** Before the call ends, so that its caller can still be told. */
const MARGIN_MS = 750;

/**
 * Starts transfers, all in one call: what each of them takes is checked before any of them is carried out.
 * @throws DomainError why one of them was refused
 */
export async function startTransfers(
  { tasks, traderId }: Transfers,
  terms: readonly Terms[],
  call: Call,
): Promise<Task[]> {
  const { principalToken, requestId, clientAddress } = call;
  const common = {
    principalToken,
    traderId,
    traceparent: currentTraceparent(),
    ...(requestId === undefined ? {} : { requestId }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
  const transfers = terms.map((each) => ({ ...common, idempotencyKey: `sandbox-${newId()}`, ...each }));
  const { results } = await tasks.StartTransfers({ transfers }, { within: call });
  return results.map(({ task, problem }) => {
    if (problem) throw errorOf(problem);
    if (!task) throw new Error('tasks answered neither a task nor why there is none');
    return task;
  });
}

/** Looks at a task until it is as wanted. @throws DomainError 'unavailable' where that takes too long */
async function lookUntil(
  { tasks, type, traderId }: Transfers,
  taskId: string,
  isWanted: (task: Task) => boolean,
  call: Call,
): Promise<Task> {
  for (;;) {
    const task = await tasks.GetTask({ type, traderId, taskId }, { within: call, forPrincipal: true });
    if (isWanted(task)) return task;
    if (Date.now() + MARGIN_MS > call.deadline) throw unavailable(new Error(`the task ${taskId} takes too long`));
    await wait(LOOK_MS, undefined, { signal: call.signal }).catch((cause: unknown) => {
      throw unavailable(cause);
    });
  }
}

/** A task at its end. */
export const endOf = (transfers: Transfers, { id }: Task, call: Call): Promise<Task> =>
  lookUntil(transfers, id, ({ status }) => status !== 'PENDING', call);

/** The transaction of a task that waits to be approved. */
export async function transactionOf(transfers: Transfers, { id }: Task, call: Call): Promise<string> {
  const { transactionId } = await lookUntil(transfers, id, (task) => task.transactionId !== undefined, call);
  if (transactionId === undefined) throw new Error('the task has no transaction');
  return transactionId;
}
