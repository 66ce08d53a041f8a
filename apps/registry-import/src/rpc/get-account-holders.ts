import type { Rpc } from '@saleschannel/grpc';
import { isStorable, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findByIds } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

const IDS_AT_MOST = 10_000;

/** Ids that no account holder can have are left out, as unknown ones are. */
const requestSchema = z.object({
  accountHolderIds: z
    .array(z.string())
    .max(IDS_AT_MOST)
    .transform((ids) => ids.filter(isStorable)),
});

export const getAccountHolders: Rpc<'accountHolderDirectory.GetAccountHolders', Context> =
  ({ database }) =>
  async (request) => {
    const { accountHolderIds } = parse(requestSchema, request, 'The account holders cannot be looked up.');
    return { accountHolders: (await findByIds(database.em(), accountHolderIds)).map(accountHolderMessage) };
  };
