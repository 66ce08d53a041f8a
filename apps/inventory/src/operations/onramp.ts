import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook } from '../domain/bundle-book.ts';
import { selectionRefused, startsOf, type Selection } from '../domain/selection.ts';
import { lineOf } from '../domain/transaction.ts';
import { lockIntoBook, saveBook } from '../store/bundles.ts';
import { insertTransactions } from '../store/transactions.ts';

export interface Onramp {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
  /** The account holder's trader in the channel. */
  readonly traderId: string;
  readonly selections: readonly Selection[];
  readonly actor: Actor;
}

/**
 * Moves certificates of an account holder to its trader in a sales channel, all or nothing.
 * @returns the id of the transaction
 * @throws DomainError 'request-refused' with every fault of the selections
 */
export const onramp = (
  database: Database,
  clock: Clock,
  { accountHolderId, salesChannelId, traderId, selections, actor }: Onramp,
): Promise<string> =>
  database.transaction(async (em) => {
    const book = new BundleBook();
    await lockIntoBook(em, book, startsOf(selections));
    const outcome = book.move({
      selections,
      from: { ownerId: accountHolderId, salesChannelId: undefined, states: ['HELD', 'OFFRAMPED'] },
      to: { ownerId: traderId, salesChannelId, state: 'LISTABLE' },
    });
    if ('faults' in outcome) throw selectionRefused(outcome.faults);
    await saveBook(em, book);
    const id = newId();
    const now = clock.now().toISOString();
    await insertTransactions(em, [
      {
        id,
        type: 'ONRAMP',
        status: 'SUCCESS',
        salesChannelId,
        sellerId: accountHolderId,
        buyerId: traderId,
        accountHolderId,
        createdAt: now,
        completedAt: now,
        lines: outcome.taken.map((taken) => lineOf(taken)),
      },
    ]);
    const act = { action: 'inventory.certificates.onramped', subject: { type: 'transaction', id } } as const;
    const after = { accountHolderId, salesChannelId, traderId };
    await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE, salesChannelId], actor, after }]);
    return id;
  });
