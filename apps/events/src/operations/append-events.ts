import type { TransactionStatusChanged } from '@saleschannel/contracts';
import type { Database, TransactionOptions } from '@saleschannel/database';
import { recordProgress, type LedgerConflict } from '@saleschannel/messaging';
import { createHeads, findConflicts, insertEvents, lockHeads, type NewEvent } from '../store/events.ts';

export const toNewEvent = (change: TransactionStatusChanged): NewEvent => ({
  id: change.eventId,
  salesChannelId: change.salesChannelId,
  eventType: 'TRANSACTION_STATUS_CHANGE',
  eventAt: change.effectiveAt,
  transactionId: change.transactionId,
  status: change.status,
  sequence: change.sequence,
});

/**
 * Appends status changes to the logs of their channels, in one transaction, in the given order per channel. Skips
 * changes that the log has.
 *
 * The head of a channel is locked before times are assigned, until the commit. So times increase in commit order, and
 * no event appears before a time that a reader has passed (ADR 4).
 *
 * @param refuse throws if changes contradict the log
 */
export async function appendEvents(
  database: Database,
  changes: readonly TransactionStatusChanged[],
  refuse: (conflicts: readonly LedgerConflict[]) => void,
  options: TransactionOptions = {},
): Promise<void> {
  const events = changes.map(toNewEvent);
  const salesChannelIds = [...new Set(changes.map((change) => change.salesChannelId))].toSorted();
  const tryAppend = (): Promise<boolean> =>
    database.transaction(async (em) => {
      const [locked, conflicts] = await Promise.all([lockHeads(em, salesChannelIds), findConflicts(em, events)]);
      if (locked < salesChannelIds.length) return false;
      refuse(conflicts);
      insertEvents(em, events);
      recordProgress(em, events);
      return true;
    }, options);
  if (await tryAppend()) return;
  // In a separate transaction: inserting heads while others are locked would break the order of locks.
  await createHeads(database.em(), salesChannelIds);
  if (!(await tryAppend())) throw new Error('A head of the event log is missing.');
}
