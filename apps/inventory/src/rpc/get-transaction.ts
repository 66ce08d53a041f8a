import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { findTransactionOfChannel } from '../store/transaction-views.ts';
import { documentOf, renderForChannel } from './messages.ts';

export const getTransaction: Rpc<'inventory.GetTransaction', Context> =
  ({ database }) =>
  async ({ transactionId }, call) => {
    const transaction = await findTransactionOfChannel(database.em(), salesChannelOf(call), idToFind(transactionId));
    if (!transaction) throw notFound();
    return documentOf(renderForChannel(transaction));
  };
