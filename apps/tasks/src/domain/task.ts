import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';

export type TaskStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';

/** The record of one requested transfer. */
export interface Task {
  readonly id: string;
  readonly status: TaskStatus;
  readonly idempotencyKey: string;
  /** The state of the task, for people. */
  readonly message: string;
  /** What the ledger made of the transfer, once there is one. */
  readonly transactionId: string | null;
}

/** What the ledger says of a task. */
export interface Outcome {
  readonly taskId: string;
  /** Where the ledger told it. */
  readonly salesChannelId: string | undefined;
  readonly status: TaskStatus;
  readonly message: string;
  readonly transactionId: string | null;
  /** The place of the change that ended the task in the ledger's order, where the ledger told it. */
  readonly sequence: string | undefined;
}

export const taskMessages = {
  waiting: 'The task waits for the ledger.',
  reserved: "The certificates are reserved; the transaction waits for the seller's approval.",
  success: 'The transaction is complete.',
  rejected: 'The seller rejected the transaction.',
  failed: 'The transaction could not be completed.',
  unanswered: 'The ledger did not answer in time, so the transfer was withdrawn.',
  unannounced: 'The ledger could not be told of the transfer, so it was withdrawn.',
} as const;

type OutcomeEvent = TransactionStatusChanged | TransferReported;

function outcomeOf(event: OutcomeEvent): Outcome {
  const { taskId, transactionId, reason } = event;
  const isReport = 'outcome' in event;
  const said = isReport ? event.outcome : event.status;
  const place = isReport ? { salesChannelId: undefined, sequence: undefined } : event;
  const about = { taskId, transactionId, salesChannelId: place.salesChannelId, sequence: place.sequence };
  switch (said) {
    case 'RESERVED':
      return { ...about, status: 'PENDING', message: taskMessages.reserved };
    case 'SUCCESS':
      return { ...about, status: 'SUCCESS', message: taskMessages.success };
    case 'REJECTED':
      return { ...about, status: 'REJECTED', message: taskMessages.rejected };
    case 'REFUSED':
    case 'FAILED':
      return { ...about, status: 'FAILED', message: reason ?? taskMessages.failed };
  }
}

/**
 * One outcome for each task that the events name. Of several for one task an end outweighs a reservation, whichever
 * comes first, and the first end counts. Which place it has in the ledger's order may be told by another one.
 */
export function outcomesOf(events: readonly OutcomeEvent[]): Outcome[] {
  const byTask = new Map<string, Outcome>();
  for (const outcome of events.map(outcomeOf)) {
    const before = byTask.get(outcome.taskId);
    const salesChannelId = outcome.salesChannelId ?? before?.salesChannelId;
    if (!before || before.status === 'PENDING') byTask.set(outcome.taskId, { ...outcome, salesChannelId });
    else if (before.sequence === undefined)
      byTask.set(outcome.taskId, { ...before, salesChannelId, sequence: outcome.sequence });
  }
  return [...byTask.values()];
}
