import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readHoldingFilter } from '../domain/list-filters.ts';
import { holdingsOf } from '../store/holding-lists.ts';
import { holdingTexts, jsonRows } from './messages.ts';

export const pageHoldings: Rpc<'holdings.PageHoldings', Context> =
  ({ reads, tradersOf }) =>
  async (request, call) => {
    const accountHolderId = accountHolderOf(call);
    const filter = readHoldingFilter(request.filter);
    const asked = readChannelPage(request.page);
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    return jsonRows(await reads.page(readerOf(call), (em) => holdingsOf(em, holder, filter, asked)), holdingTexts());
  };
