import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readOnramp } from '../domain/onramp.ts';
import { findHolderTransaction } from '../operations/named-transactions.ts';
import { onramp as move } from '../operations/onramp.ts';
import { jsonDocument } from './messages.ts';
import { holderMembers } from './transaction-messages.ts';
import { registryDocument } from './transactions.ts';

export const onramp: Rpc<'ledger.Onramp', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { key, ...order } = readOnramp(request);
    const { transactionId, replayed } = await move(database, clock, { ...order, actor: actorOf(call) }, key);
    return { transactionId, transaction: await registryDocument(database.em(), transactionId), replayed };
  };

/** Takes the account holder from the token of its user, and trusts the calling service for its trader. */
export const onrampHoldings: Rpc<'holdings.OnrampHoldings', Context> = (context) => async (request, call) => {
  const { key, ...order } = readOnramp(request);
  const accountHolderId = accountHolderOf(call);
  if (order.accountHolderId !== accountHolderId) throw notFound();
  const { database, clock } = context;
  const { transactionId, replayed } = await move(database, clock, { ...order, actor: actorOf(call) }, key);
  const transaction = await findHolderTransaction(context, accountHolderId, transactionId, call);
  return { transactionId, transaction: jsonDocument(holderMembers(transaction)), replayed };
};
