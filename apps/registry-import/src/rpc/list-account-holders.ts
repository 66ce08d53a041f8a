import { readerOf, type Rpc } from '@saleschannel/grpc';
import { parameters, parse, readPage, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { pageOfAccountHolders } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

const filterSchema = z.object({
  businessId: searchText.optional(),
  name: searchText.optional(),
  namePart: searchText.optional(),
});
const place = parameters({ businessId: 'businessId', name: 'name', namePart: 'nameContains' });

export const listAccountHolders: Rpc<'registryImport.ListAccountHolders', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const filter = parse(filterSchema, request, 'The account holders cannot be listed this way.', place);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => pageOfAccountHolders(em, filter, asked));
    const searched = filter.namePart !== undefined;
    return { total, next, accountHolders: rows.map(accountHolderMessage), searched };
  };
