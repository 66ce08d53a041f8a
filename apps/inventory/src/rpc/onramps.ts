import { actorOf, recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Call, type Rpc } from '@saleschannel/grpc';
import { id, idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { parseSelections, refuseSelections, listStarts, type Selection } from '../domain/selection.ts';
import { findHolderTransaction } from '../operations/read-transactions.ts';
import { toJsonDocument } from './messages.ts';
import { toHolderMembers } from './transaction-messages.ts';
import { readRegistryDocument } from './transactions.ts';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { holderScope, recordOnce } from '@saleschannel/idempotency';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook } from '../domain/bundle-book.ts';
import { toLine } from '../domain/transaction.ts';
import { lockBundles, saveBook } from '../store/bundles.ts';
import { insertTransactions } from '../store/transactions.ts';

interface Onramp {
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
async function onrampOnce(
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
        await moveCertificates(em, { ...request, traderId }, id, clock.now().toISOString());
        const act = { action: 'inventory.certificates.onramped', subject: { type: 'transaction', id } } as const;
        const after = { accountHolderId, salesChannelId, traderId };
        await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE, salesChannelId], actor, after }]);
        return id;
      }),
    { toId: (id) => id, load: (_em, id) => id },
  );
  return { transactionId: made, replayed };
}

async function moveCertificates(
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

const requestSchema = z.object({
  idempotencyKey,
  accountHolderId: id,
  salesChannelId: id,
  traderId: z.preprocess((value) => (value === '' ? undefined : value), id.optional()),
  assets: z.array(z.object({ start: z.string(), end: z.string() })).min(1),
});

const INVALID_ONRAMP = 'The onramp is not valid.';
const keyLocation = parameters({ idempotencyKey: 'Idempotency-Key' });

/** @throws DomainError 'invalid-request', or 'request-refused' for malformed selections */
function readOnramp(request: unknown, call: Call): { order: Onramp; key: string } {
  const { assets, idempotencyKey: key, ...parties } = parse(requestSchema, request, INVALID_ONRAMP, keyLocation);
  const read = parseSelections(assets);
  if ('faults' in read) throw refuseSelections(read.faults);
  const order = { ...parties, traderId: parties.traderId, selections: read.selections, actor: actorOf(call) };
  return { order, key };
}

export const onramp: Rpc<'ledger.Onramp', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { order, key } = readOnramp(request, call);
    const { transactionId, replayed } = await onrampOnce(database, clock, order, key);
    return { transactionId, transaction: await readRegistryDocument(database.em(), transactionId), replayed };
  };

/** Takes the account holder from the token of its user, and trusts the calling service for its trader. */
export const onrampHoldings: Rpc<'holdings.OnrampHoldings', Context> = (context) => async (request, call) => {
  const { order, key } = readOnramp(request, call);
  const accountHolderId = accountHolderOf(call);
  if (order.accountHolderId !== accountHolderId) throw notFound();
  const { database, clock } = context;
  const { transactionId, replayed } = await onrampOnce(database, clock, order, key);
  const transaction = await findHolderTransaction(context, accountHolderId, transactionId, call);
  return { transactionId, transaction: toJsonDocument(toHolderMembers(transaction)), replayed };
};
