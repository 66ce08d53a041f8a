import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '@saleschannel/errors';
import { toError, type Call, type ReplyOf, type SentTo, type ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';

export type Task = ReplyOf<'tasks.GetTask'>;
type Transfer = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>[number];
export type Terms = Pick<Transfer, 'trade' | 'retirement' | 'offramp'>;
type TransferType = NonNullable<SentTo<'tasks.GetTask'>['type']>;

/** Tasks of one trader, on behalf of the caller. */
export interface TransferContext {
  readonly tasks: ServiceClient<'tasks'>;
  readonly type: TransferType;
  readonly traderId: string;
}

const POLL_MS = 50;
/** Reserved from the call's deadline, to report a timeout. */
const MARGIN_MS = 750;

/**
 * Starts transfers in one call, so that all are checked before one is executed.
 * @throws DomainError the refusal of one of them
 */
export async function startTransfers(
  { tasks, traderId }: TransferContext,
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
    if (problem) throw toError(problem);
    if (!task) throw new Error('The response of tasks has neither a task nor a problem.');
    return task;
  });
}

/** Polls a task until it meets the condition. @throws DomainError 'unavailable' if that takes too long */
async function pollUntil(
  { tasks, type, traderId }: TransferContext,
  taskId: string,
  isReached: (task: Task) => boolean,
  call: Call,
): Promise<Task> {
  for (;;) {
    const task = await tasks.GetTask({ type, traderId, taskId }, { within: call, forPrincipal: true });
    if (isReached(task)) return task;
    if (Date.now() + MARGIN_MS > call.deadline) throw unavailable(new Error(`The task ${taskId} takes too long.`));
    await wait(POLL_MS, undefined, { signal: call.signal }).catch((cause: unknown) => {
      throw unavailable(cause);
    });
  }
}

/** Waits for the end of a task. */
export const waitForEnd = (transfers: TransferContext, { id }: Task, call: Call): Promise<Task> =>
  pollUntil(transfers, id, ({ status }) => status !== 'PENDING', call);

/** Waits for the transaction of a task that needs an approval. */
export async function waitForTransaction(transfers: TransferContext, { id }: Task, call: Call): Promise<string> {
  const { transactionId } = await pollUntil(transfers, id, (task) => task.transactionId !== undefined, call);
  if (transactionId === undefined) throw new Error('The task has no transaction.');
  return transactionId;
}
