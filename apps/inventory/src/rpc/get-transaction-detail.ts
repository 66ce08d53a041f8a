import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { findTransactionOfChannel } from '../store/transaction-views.ts';
import { documentOf, renderDetail } from './messages.ts';

export const getTransactionDetail: Rpc<'inventory.GetTransactionDetail', Context> =
  ({ database }) =>
  async ({ transactionId }, call) => {
    const transaction = await findTransactionOfChannel(database.em(), salesChannelOf(call), idToFind(transactionId));
    if (!transaction) throw notFound();
    return documentOf(renderDetail(transaction));
  };
