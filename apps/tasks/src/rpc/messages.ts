import { access, type AccessRule } from '@saleschannel/auth';
import type { TransferType } from '@saleschannel/contracts';
import type { ResponseOf } from '@saleschannel/grpc';
import type { Task } from '../domain/task.ts';

/** From what this service works with to messages. */

export const transferTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const satisfies readonly TransferType[];

/** Who may see tasks of a type. */
export const taskAccess: Record<TransferType, AccessRule> = {
  TRADE: access.getTradeTask,
  RETIREMENT: access.getRetirementTask,
  OFFRAMP: access.getOfframpTask,
};

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
