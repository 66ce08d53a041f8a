import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readSharedExpansions } from '../domain/expansion.ts';
import { readHolderFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { withNames } from '../operations/with-names.ts';
import { transactionsOfHolder } from '../store/transaction-lists.ts';
import { holderTransactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const pageHolderTransactions: Rpc<'holdings.PageHolderTransactions', Context> = ({ reads, tradersOf, name }) =>
  async function* ({ filter, descending, page, format, expand }, call) {
    const [accountHolderId, reader] = [accountHolderOf(call), readerOf(call)];
    const asked = readChannelPage(page);
    const wanted = { ...readHolderFilter(filter), descending };
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    const { render, frame, about } = holderTransactionForm(format, readSharedExpansions(expand));
    yield* reads.counted(reader, async function* () {
      const { rows, next } = await reads.page(reader, (em) => transactionsOfHolder(em, holder, wanted, asked));
      const named = withNames(withLines(reads, reader, [rows]), (found) => name(accountHolderId, found, call));
      yield* piecesOf({ ...about, next }, named, render, frame);
    });
  };
