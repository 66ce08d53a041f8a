import { access, isAllowed, serviceOnly, type AccessRule } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError, forbidden, notFound } from '@saleschannel/errors';
import { implement, salesChannelOf, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Operation } from '../domain/transfer.ts';
import { startTransfers, type Started } from '../operations/start-transfers.ts';
import { findTask } from '../store/tasks.ts';
import type { StartTransferResult, Task } from './messages.ts';

const pollAccess: Record<Operation, AccessRule> = {
  TRADE: access.getTradeTask,
  RETIREMENT: access.getRetirementTask,
  OFFRAMP: access.getOfframpTask,
};

const anySignedIn: AccessRule = { principal: 'user', roles: [] };

const taskOf = ({ id, status, idempotency_key, message, transaction_id }: Started['task']): Task => ({
  id,
  status,
  idempotencyKey: idempotency_key,
  message,
  transactionId: transaction_id ?? undefined,
});

function resultOf(outcome: Started | DomainError): StartTransferResult {
  if (!(outcome instanceof DomainError)) return { task: taskOf(outcome.task), replayed: outcome.replayed };
  return {
    problem: { code: outcome.code, detail: outcome.message, violationsJson: JSON.stringify(outcome.violations) },
  };
}

export const taskRpcs = (context: Context): Registration =>
  implement(services.tasks, {
    StartTransfers: {
      callers: ['gateway'],
      // Each item brings the principal of its own caller, and is let in or not on its own.
      access: serviceOnly,
      handler: async ({ transfers }, call) => ({
        results: (await startTransfers(context, transfers, call)).map(resultOf),
      }),
    },
    GetTask: {
      callers: ['gateway'],
      // The role depends on the operation that is asked for.
      access: anySignedIn,
      async handler({ operation, traderId, taskId }, call) {
        if (!call.principal || !isAllowed(pollAccess[operation], call.principal)) throw forbidden();
        const task = await findTask(context.database.em(), salesChannelOf(call), operation, traderId, taskId);
        if (!task) throw notFound();
        return taskOf(task);
      },
    },
  });
