import type { Database } from '@saleschannel/database';
import type { Entry } from '@saleschannel/messaging';
import type { Counter } from '@saleschannel/runtime';
import { taskMessages } from '../domain/messages.ts';
import { applyOutcomes, type Outcome } from '../store/tasks.ts';

type OutcomeEntry = Entry<'inventory.transaction.status-changed.v1' | 'inventory.transfer.reported.v1'>;

const statusMessages = {
  SUCCESS: taskMessages.success,
  REJECTED: taskMessages.rejected,
  FAILED: taskMessages.failed,
} as const;

/** What an event says of its task. */
export function outcomeOf(entry: OutcomeEntry): Outcome {
  const { taskId, transactionId, reason } = entry.event;
  const said = 'outcome' in entry.event ? entry.event.outcome : entry.event.status;
  if (said === 'RESERVED') return { taskId, transactionId, status: 'PENDING', message: taskMessages.reserved };
  if (said === 'REFUSED') return { taskId, transactionId, status: 'FAILED', message: reason ?? taskMessages.failed };
  return {
    taskId,
    transactionId,
    status: said,
    message: said === 'FAILED' ? (reason ?? taskMessages.failed) : statusMessages[said],
  };
}

/** Writes outcomes to tasks, in one transaction. Of several for one task an end outweighs a reservation, in whatever order they come. */
export async function closeTasks(database: Database, entries: readonly OutcomeEntry[], ended: Counter): Promise<void> {
  const byTask = new Map<string, Outcome>();
  for (const outcome of entries.map(outcomeOf)) {
    const before = byTask.get(outcome.taskId);
    if (!before || before.status === 'PENDING') byTask.set(outcome.taskId, outcome);
  }
  const outcomes = [...byTask.values()].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
  await database.transaction((em) => applyOutcomes(em, outcomes));
  for (const { status } of outcomes) if (status !== 'PENDING') ended.add(1, { status });
}
