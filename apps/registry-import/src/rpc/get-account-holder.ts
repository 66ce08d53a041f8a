import type { AccountHolder } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import type { GetAccountHolderRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/GetAccountHolderRequest';
import { notFound } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { findByIds } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

export const getAccountHolder =
  ({ database }: Context) =>
  async ({ accountHolderId }: GetAccountHolderRequest__Output): Promise<AccountHolder> => {
    const [holder] = await findByIds(database.em(), [accountHolderId]);
    if (!holder) throw notFound();
    return accountHolderMessage(holder);
  };
