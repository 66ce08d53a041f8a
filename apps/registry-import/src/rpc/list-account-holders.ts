import type { ListAccountHoldersRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/ListAccountHoldersRequest';
import type { ListAccountHoldersResponse } from '@saleschannel/contracts/gen/registry_import/v1/ListAccountHoldersResponse';
import type { Context } from '../context.ts';
import { readPage } from '../domain/page.ts';
import { listPage } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

export const listAccountHolders =
  ({ database }: Context) =>
  async (request: ListAccountHoldersRequest__Output): Promise<ListAccountHoldersResponse> => {
    const { total, holders } = await listPage(database.em(), readPage(request));
    return { total, accountHolders: holders.map(accountHolderMessage) };
  };
