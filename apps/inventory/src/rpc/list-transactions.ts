import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readChannelFilter } from '../domain/list-filters.ts';
import { transactionsOfChannel } from '../store/transaction-lists.ts';
import { withLines } from '../operations/with-lines.ts';
import { transactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const listTransactions: Rpc<'inventory.ListTransactions', Context> = ({ reads }) =>
  async function* ({ filter, descending, format }, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const wanted = { ...readChannelFilter(filter), descending };
    const pages = reads.list(reader, (em, part) => transactionsOfChannel(em, salesChannelId, wanted, part));
    const { render, frame, about } = transactionForm(format);
    yield* piecesOf(about, withLines(reads, reader, pages), render, frame);
  };
