import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { streamTransactions } from '../store/transaction-views.ts';
import { chunksOf, renderForChannel } from './messages.ts';

export const listTransactions: Rpc<'inventory.ListTransactions', Context> =
  ({ database }) =>
  (_request, call) =>
    chunksOf(streamTransactions(database, salesChannelOf(call)), renderForChannel);
