import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readExpansions } from '../domain/expansion.ts';
import { readChannelFilter } from '../domain/list-filters.ts';
import { transactionsOfChannel } from '../store/transaction-lists.ts';
import { withLines } from '../operations/with-lines.ts';
import { withNames } from '../operations/with-names.ts';
import { transactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const listTransactions: Rpc<'inventory.ListTransactions', Context> = ({ reads, nameForChannel }) =>
  async function* ({ filter, descending, format, expand: asked }, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const expand = readExpansions(asked);
    const wanted = { ...readChannelFilter(filter), descending };
    const pages = reads.list(reader, (em, part) => transactionsOfChannel(em, salesChannelId, wanted, part));
    const { render, frame, about } = transactionForm(format, expand);
    const found = withLines(reads, reader, pages, expand);
    const named = expand.includes('names') ? withNames(found, (some) => nameForChannel(some, call)) : found;
    yield* piecesOf(about, named, render, frame);
  };
