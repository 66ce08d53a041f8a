import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import type { Database, TransactionOptions } from '@saleschannel/database';
import type { Counter } from '@saleschannel/runtime';
import { outcomesOf } from '../domain/task.ts';
import { applyOutcomes } from '../store/tasks.ts';

/** Writes what the ledger says to the tasks, in one transaction. Told again, it changes nothing. */
export async function recordOutcomes(
  database: Database,
  events: readonly (TransactionStatusChanged | TransferReported)[],
  finished: Counter,
  options: TransactionOptions = {},
): Promise<void> {
  const outcomes = outcomesOf(events);
  await database.transaction((em) => applyOutcomes(em, outcomes), options);
  for (const { status } of outcomes) if (status !== 'PENDING') finished.add(1, { status });
}
