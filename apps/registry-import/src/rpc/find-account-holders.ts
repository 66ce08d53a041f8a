import type { Rpc } from '@saleschannel/grpc';
import { operatorPage, parameters, parse, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { kinds, statuses } from '../domain/account-holder.ts';
import { findAccountHolders as find } from '../store/standing.ts';
import { accountHolderMessage } from './messages.ts';

const requestSchema = operatorPage.extend({
  businessId: searchText.optional(),
  kind: z.enum(kinds).optional(),
  status: z.enum(statuses).optional(),
  namePart: searchText.optional(),
});
const place = parameters({
  limit: 'limit',
  after: 'after',
  businessId: 'businessId',
  kind: 'kind',
  status: 'status',
  namePart: 'nameContains',
});

export const findAccountHolders: Rpc<'accountHolderAdministration.FindAccountHolders', Context> =
  ({ database }) =>
  async (request) => {
    const wanted = parse(requestSchema, request, 'The account holders cannot be listed.', place);
    const found = await find(database.em(), wanted);
    return { accountHolders: found.map(accountHolderMessage), searched: wanted.namePart !== undefined };
  };
