import type { Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { accountHolderContent } from '../domain/account-holder.ts';
import { createAccountHolder } from '../operations/create-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

export const ensureAccountHolder: Rpc<'accountHolderDirectory.EnsureAccountHolder', Context> =
  ({ database }) =>
  async (request) => {
    const content = parse(accountHolderContent, request.content, 'The account holder is not valid.');
    const { accountHolder } = await createAccountHolder(database, content);
    return accountHolderMessage(accountHolder);
  };
