import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import { id, metadataFilter, parse, referenceFilter, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const taskFilter = z.object({
  type: z.enum(['TRADE', 'RETIREMENT', 'OFFRAMP']).optional(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']).optional(),
  traderId: id.optional(),
  createdAt: timeRange,
  externalReference: referenceFilter.optional(),
  metadata: metadataFilter,
});

/** A task must meet every condition present. */
export type TaskFilter = z.output<typeof taskFilter>;

const locateInFilter = () => ({ parameter: '$filter' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const parseTaskFilter = (filter: unknown): TaskFilter =>
  parse(taskFilter, filter ?? {}, 'The tasks cannot be listed this way.', locateInFilter);

export type TaskStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';

/** The record of one requested transfer. */
export interface Task {
  readonly id: string;
  readonly status: TaskStatus;
  readonly idempotencyKey: string;
  /** The state of the task, for people. */
  readonly message: string;
  /** The ledger's transaction, once there is one. */
  readonly transactionId: string | null;
}

/** A result of a task that the ledger reports. */
export interface Outcome {
  readonly taskId: string;
  /** Absent in reports. */
  readonly salesChannelId: string | undefined;
  readonly status: TaskStatus;
  readonly message: string;
  readonly transactionId: string | null;
  /** Sequence of the change that ended the task. Absent in reports. */
  readonly sequence: string | undefined;
}

export const taskMessages = {
  waiting: 'The task waits for the ledger.',
  reserved: "The certificates are reserved; the transaction waits for the seller's approval.",
  success: 'The transaction is complete.',
  rejected: 'The seller rejected the transaction.',
  failed: 'The transaction could not be completed.',
  unanswered: 'The ledger did not answer in time, so the transfer was withdrawn.',
  unannounced: 'The transfer could not be announced to the ledger, so it was withdrawn.',
} as const;

type OutcomeEvent = TransactionStatusChanged | TransferReported;

function toOutcome(event: OutcomeEvent): Outcome {
  const { taskId, transactionId, reason } = event;
  const isReport = 'outcome' in event;
  const { salesChannelId, sequence } = isReport ? { salesChannelId: undefined, sequence: undefined } : event;
  const about = { taskId, transactionId, salesChannelId, sequence };
  switch (isReport ? event.outcome : event.status) {
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
 * Converts events to one outcome per task. An end takes precedence over a reservation in any order, and the first end
 * counts. A later event may supply its sequence.
 */
export function toOutcomes(events: readonly OutcomeEvent[]): Outcome[] {
  const byTask = new Map<string, Outcome>();
  for (const outcome of events.map(toOutcome)) {
    const earlier = byTask.get(outcome.taskId);
    const salesChannelId = outcome.salesChannelId ?? earlier?.salesChannelId;
    if (!earlier || earlier.status === 'PENDING') byTask.set(outcome.taskId, { ...outcome, salesChannelId });
    else if (earlier.sequence === undefined)
      byTask.set(outcome.taskId, { ...earlier, salesChannelId, sequence: outcome.sequence });
  }
  return [...byTask.values()];
}
