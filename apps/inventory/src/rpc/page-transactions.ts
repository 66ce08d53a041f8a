import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readChannelFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { transactionsOfChannel } from '../store/transaction-lists.ts';
import { transactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const pageTransactions: Rpc<'inventory.PageTransactions', Context> = ({ reads }) =>
  async function* ({ filter, descending, page, format }, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const asked = readChannelPage(page);
    const wanted = { ...readChannelFilter(filter), descending };
    const { render, frame, about } = transactionForm(format);
    yield* reads.counted(reader, async function* () {
      const { rows, next } = await reads.page(reader, (em) => transactionsOfChannel(em, salesChannelId, wanted, asked));
      yield* piecesOf({ ...about, next }, withLines(reads, reader, [rows]), render, frame);
    });
  };
