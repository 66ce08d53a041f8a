import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readHoldingFilter } from '../domain/list-filters.ts';
import { holdingsOf } from '../store/holding-lists.ts';
import { holdingForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const listHoldings: Rpc<'holdings.ListHoldings', Context> = ({ reads, tradersOf }) =>
  async function* (request, call) {
    const accountHolderId = accountHolderOf(call);
    const filter = readHoldingFilter(request.filter);
    const { render, frame, about } = holdingForm(request.format);
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    const pages = reads.list(readerOf(call), (em, part) => holdingsOf(em, holder, filter, part));
    yield* piecesOf(about, pages, render, frame);
  };
