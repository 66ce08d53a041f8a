import type { GetAccountHoldersRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/GetAccountHoldersRequest';
import type { GetAccountHoldersResponse } from '@saleschannel/contracts/gen/registry_import/v1/GetAccountHoldersResponse';
import { invalidRequest } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { findByIds } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

const IDS_AT_MOST = 10_000;

export const getAccountHolders =
  ({ database }: Context) =>
  async ({ accountHolderIds }: GetAccountHoldersRequest__Output): Promise<GetAccountHoldersResponse> => {
    if (accountHolderIds.length > IDS_AT_MOST)
      throw invalidRequest(`At most ${IDS_AT_MOST} account holders can be asked for at once.`);
    if (accountHolderIds.length === 0) return { accountHolders: [] };
    return { accountHolders: (await findByIds(database.em(), accountHolderIds)).map(accountHolderMessage) };
  };
