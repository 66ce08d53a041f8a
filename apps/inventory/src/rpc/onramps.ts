import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Call, type Rpc } from '@saleschannel/grpc';
import { id, idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { parseSelections, refuseSelections } from '../domain/selection.ts';
import { findHolderTransaction } from '../operations/read-transactions.ts';
import { onramp as move, type Onramp } from '../operations/onramp.ts';
import { toJsonDocument } from './messages.ts';
import { toHolderMembers } from './transaction-messages.ts';
import { readRegistryDocument } from './transactions.ts';

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
    const { transactionId, replayed } = await move(database, clock, order, key);
    return { transactionId, transaction: await readRegistryDocument(database.em(), transactionId), replayed };
  };

/** Takes the account holder from the token of its user, and trusts the calling service for its trader. */
export const onrampHoldings: Rpc<'holdings.OnrampHoldings', Context> = (context) => async (request, call) => {
  const { order, key } = readOnramp(request, call);
  const accountHolderId = accountHolderOf(call);
  if (order.accountHolderId !== accountHolderId) throw notFound();
  const { database, clock } = context;
  const { transactionId, replayed } = await move(database, clock, order, key);
  const transaction = await findHolderTransaction(context, accountHolderId, transactionId, call);
  return { transactionId, transaction: toJsonDocument(toHolderMembers(transaction)), replayed };
};
