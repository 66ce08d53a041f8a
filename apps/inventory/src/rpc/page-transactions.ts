import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readExpansions } from '../domain/expansion.ts';
import { readChannelFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { withNames } from '../operations/with-names.ts';
import { transactionsOfChannel } from '../store/transaction-lists.ts';
import { transactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const pageTransactions: Rpc<'inventory.PageTransactions', Context> = ({ reads, nameForChannel }) =>
  async function* ({ filter, descending, page, format, expand: wantedMembers }, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const asked = readChannelPage(page);
    const expand = readExpansions(wantedMembers);
    const wanted = { ...readChannelFilter(filter), descending };
    const { render, frame, about } = transactionForm(format, expand);
    yield* reads.counted(reader, async function* () {
      const { rows, next } = await reads.page(reader, (em) => transactionsOfChannel(em, salesChannelId, wanted, asked));
      const found = withLines(reads, reader, [rows], expand);
      const named = expand.includes('names') ? withNames(found, (some) => nameForChannel(some, call)) : found;
      yield* piecesOf({ ...about, next }, named, render, frame);
    });
  };
