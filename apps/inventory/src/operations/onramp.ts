import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { holderScope, recordOnce } from '@saleschannel/idempotency';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook } from '../domain/bundle-book.ts';
import { refuseSelections, listStarts, type Selection } from '../domain/selection.ts';
import { toLine } from '../domain/transaction.ts';
import { lockBundles, saveBook } from '../store/bundles.ts';
import { insertTransactions } from '../store/transactions.ts';

export interface Onramp {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
  /** The account holder's trader in the channel. Without it, only repeats of earlier requests succeed. */
  readonly traderId: string | undefined;
  readonly selections: readonly Selection[];
  readonly actor: Actor;
}

/** The request of a key, without the trader, which follows from account holder and channel. */
const toKeyedRequest = ({ accountHolderId, salesChannelId, selections }: Onramp): unknown => ({
  accountHolderId,
  salesChannelId,
  assets: selections.map(({ issuanceId, firstText, lastText }) => [issuanceId, firstText, lastText]),
});

/**
 * Moves certificates of an account holder to its trader in a sales channel, all or none, once per account holder and
 * key. A refused request leaves the key unused.
 * @throws DomainError 'request-refused' with every fault of the selections, 'idempotency-key-reused' after another
 * request with the key, or 'not-found' for a new request without a trader
 */
export async function onramp(
  database: Database,
  clock: Clock,
  request: Onramp,
  key: string,
): Promise<{ transactionId: string; replayed: boolean }> {
  const { accountHolderId, salesChannelId, traderId, actor } = request;
  const { made, replayed } = await recordOnce(
    'ledger.Onramp',
    { database, scope: holderScope(accountHolderId), key, request: toKeyedRequest(request) },
    (keyed) =>
      keyed.transaction(async (em) => {
        if (traderId === undefined) throw notFound();
        const id = newId();
        await move(em, { ...request, traderId }, id, clock.now().toISOString());
        const act = { action: 'inventory.certificates.onramped', subject: { type: 'transaction', id } } as const;
        const after = { accountHolderId, salesChannelId, traderId };
        await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE, salesChannelId], actor, after }]);
        return id;
      }),
    { toId: (id) => id, load: (_em, id) => id },
  );
  return { transactionId: made, replayed };
}

async function move(
  em: EntityManager,
  { accountHolderId, salesChannelId, traderId, selections }: Onramp & { readonly traderId: string },
  id: string,
  now: string,
): Promise<void> {
  const book = new BundleBook();
  await lockBundles(em, book, listStarts(selections));
  const outcome = book.move({
    selections,
    from: { ownerId: accountHolderId, salesChannelId: undefined, states: ['HELD', 'OFFRAMPED'] },
    to: { ownerId: traderId, salesChannelId, state: 'LISTABLE' },
  });
  if ('faults' in outcome) throw refuseSelections(outcome.faults);
  await saveBook(em, book);
  insertTransactions(em, [
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
      lines: outcome.taken.map((taken) => toLine(taken)),
    },
  ]);
}
