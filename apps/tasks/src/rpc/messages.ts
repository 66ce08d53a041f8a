import type { ResponseOf } from '@saleschannel/grpc';
import type { Task } from '../domain/task.ts';

/** From what this service works with to messages. */

export const taskMessage = ({
  id,
  status,
  idempotencyKey,
  message,
  transactionId,
}: Task): ResponseOf<'tasks.GetTask'> => ({
  id,
  status,
  idempotencyKey,
  message,
  ...(transactionId === null ? {} : { transactionId }),
});
