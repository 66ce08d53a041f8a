import { access, type AccessRule } from '@saleschannel/auth';
import type { TransferType } from '@saleschannel/contracts';
import type { RequestOf, ResponseOf } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Task } from '../domain/task.ts';
import type { TaskPlace } from '../store/task-rows.ts';

/** Between what this service works with and messages. */

export const transferTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const satisfies readonly TransferType[];

/** Who may see tasks of a type. */
export const taskAccess: Record<TransferType, AccessRule> = {
  TRADE: access.getTradeTask,
  RETIREMENT: access.getRetirementTask,
  OFFRAMP: access.getOfframpTask,
};

const types = {
  TRANSFER_TYPE_TRADE: 'TRADE',
  TRANSFER_TYPE_RETIREMENT: 'RETIREMENT',
  TRANSFER_TYPE_OFFRAMP: 'OFFRAMP',
} as const satisfies Record<string, TransferType>;

const typeSchema = z.object({
  type: z.enum(['TRANSFER_TYPE_TRADE', 'TRANSFER_TYPE_RETIREMENT', 'TRANSFER_TYPE_OFFRAMP']),
});

type TaskRequest = RequestOf<'tasks.GetTask'>;

/** @throws DomainError 'invalid-request' */
export const readTaskType = ({ type }: TaskRequest): TransferType =>
  types[parse(typeSchema, { type }, 'The type of the task is not valid.').type];

export const toTaskPlace = (salesChannelId: string, type: TransferType, request: TaskRequest): TaskPlace => ({
  salesChannelId,
  type,
  traderId: idToFind(request.traderId),
  id: idToFind(request.taskId),
});

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
