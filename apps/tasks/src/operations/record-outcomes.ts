import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import { recordProgress, type LedgerConflict } from '@saleschannel/messaging';
import type { Counter } from '@saleschannel/runtime';
import { outcomesOf } from '../domain/task.ts';
import { applyOutcomes, findDisagreements } from '../store/tasks.ts';

/** Where it is told what came of a batch. */
export interface Reports {
  readonly finished: Counter;
  /** Throws when there are changes that contradict a task. */
  refuse(conflicts: readonly LedgerConflict[]): void;
  /** There are no such tasks: this database was restored to a time before they were made. */
  unknown(transactionIds: readonly string[]): void;
}

type OutcomeEvent = TransactionStatusChanged | TransferReported;

/** Writes what the ledger says to the tasks, in one transaction. Told again, it changes nothing. */
export async function recordOutcomes(
  database: Database,
  events: readonly OutcomeEvent[],
  reports: Reports,
  options: TransactionOptions = {},
): Promise<void> {
  const outcomes = outcomesOf(events);
  const placed = events.filter((event) => 'status' in event).filter(({ sequence }) => sequence !== undefined);
  const unknown = await database.transaction(async (em) => {
    const missing = placed.length > 0 ? await checkTasks(em, placed, reports) : [];
    applyOutcomes(em, outcomes);
    recordProgress(em, placed);
    return missing;
  }, options);
  if (unknown.length > 0) reports.unknown(unknown);
  for (const { status } of outcomes) if (status !== 'PENDING') reports.finished.add(1, { status });
}

/** Refuses what contradicts a task. Returns the transactions whose task is not known. */
async function checkTasks(
  em: EntityManager,
  changes: readonly TransactionStatusChanged[],
  { refuse }: Reports,
): Promise<string[]> {
  const disagreements = await findDisagreements(em, changes);
  refuse(disagreements.flatMap(({ known, ...conflict }) => (known === null ? [] : { ...conflict, known })));
  return disagreements.map(({ transactionId }) => transactionId);
}
