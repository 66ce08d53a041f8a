import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readSharedExpansions } from '../domain/expansion.ts';
import { readHolderFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { withNames } from '../operations/with-names.ts';
import { transactionsOfHolder } from '../store/transaction-lists.ts';
import { holderTransactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const listHolderTransactions: Rpc<'holdings.ListHolderTransactions', Context> = ({ reads, tradersOf, name }) =>
  async function* ({ filter, descending, format, expand }, call) {
    const [accountHolderId, reader] = [accountHolderOf(call), readerOf(call)];
    const wanted = { ...readHolderFilter(filter), descending };
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    const pages = reads.list(reader, (em, part) => transactionsOfHolder(em, holder, wanted, part));
    const named = withNames(withLines(reads, reader, pages), (found) => name(accountHolderId, found, call));
    const { render, frame, about } = holderTransactionForm(format, readSharedExpansions(expand));
    yield* piecesOf(about, named, render, frame);
  };
