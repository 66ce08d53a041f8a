import { notFound } from '@saleschannel/errors';
import { askerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { documentOf, renderForChannel } from './messages.ts';

export const getTransaction: Rpc<'inventory.GetTransaction', Context> =
  ({ findTransactionOfChannel }) =>
  async ({ transactionId }, call) => {
    const wanted = { salesChannelId: salesChannelOf(call), id: idToFind(transactionId) };
    const transaction = await findTransactionOfChannel(wanted, askerOf(call));
    if (!transaction) throw notFound();
    return documentOf(renderForChannel(transaction));
  };
