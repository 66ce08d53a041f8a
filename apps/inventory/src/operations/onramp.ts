import type { Database } from '@saleschannel/database';
import { requestRefused } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook, type Fault } from '../domain/bundle-book.ts';
import { readSelections, type SelectionText } from '../domain/selection.ts';
import { lockIntoBook, saveBook } from '../store/bundles.ts';
import { insertTransactions, lineOf } from '../store/transactions.ts';

export interface OnrampInput {
  accountHolderId: string;
  salesChannelId: string;
  traderId: string;
  assets: readonly SelectionText[];
}

const refused = (faults: readonly Fault[]) =>
  requestRefused(
    'The selection does not hold.',
    faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
  );

/**
 * Moves certificates of an account holder to its trader in a sales channel, all or nothing; returns the transaction's id.
 * @throws DomainError 'request-refused' with every fault of the selection
 */
export async function onramp(
  { database, clock }: { database: Database; clock: Clock },
  input: OnrampInput,
): Promise<string> {
  const read = readSelections(input.assets);
  if ('faults' in read) throw refused(read.faults);
  return database.transaction(async (em) => {
    const book = new BundleBook();
    await lockIntoBook(
      em,
      book,
      read.selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first })),
    );
    const outcome = book.move({
      selections: read.selections,
      from: { ownerId: input.accountHolderId, salesChannelId: null, states: ['HELD', 'OFFRAMPED'] },
      to: { ownerId: input.traderId, salesChannelId: input.salesChannelId, state: 'LISTABLE' },
    });
    if ('faults' in outcome) throw refused(outcome.faults);
    await saveBook(em, book);
    const id = newId();
    const now = clock.now().toISOString();
    await insertTransactions(em, [
      {
        id,
        type: 'ONRAMP',
        status: 'SUCCESS',
        salesChannelId: input.salesChannelId,
        sellerId: input.accountHolderId,
        buyerId: input.traderId,
        accountHolderId: input.accountHolderId,
        currency: null,
        retirement: null,
        taskId: null,
        createdAt: now,
        completedAt: now,
        lines: outcome.taken.map((taken) => lineOf(taken, null)),
      },
    ]);
    return id;
  });
}
