import type { Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { listAccountHolders as list } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

export const listAccountHolders: Rpc<'registryImport.ListAccountHolders', Context> =
  ({ database }) =>
  async ({ page }) => {
    const { total, accountHolders } = await list(database.em(), readPage(page));
    return { total, accountHolders: accountHolders.map(accountHolderMessage) };
  };
