import type { Rpc } from '@saleschannel/grpc';
import { parameters, parse, readChannelPage, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { openSalesChannels } from '../store/sales-channels.ts';

const searchSchema = z.object({ search: searchText.optional() });
const place = parameters({ search: 'q' });

/** To whoever may apply: id and name are all that they are told of a channel. */
export const pageOpenSalesChannels: Rpc<'rbac.PageOpenSalesChannels', Context> =
  ({ database }) =>
  async ({ page, search: given }) => {
    const asked = readChannelPage(page);
    const { search } = parse(searchSchema, { search: given }, 'The sales channels cannot be searched.', place);
    const { rows, next } = await openSalesChannels(database.em(), asked, search);
    return { salesChannels: rows, next, searched: search !== undefined };
  };
