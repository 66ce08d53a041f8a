import type { AccountHolder } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import type { AccountHolderFields__Output } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolderFields';
import type { Context } from '../context.ts';
import { createAccountHolder } from '../operations/create-account-holder.ts';
import { accountHolderContent, accountHolderMessage } from './messages.ts';

export const ensureAccountHolder =
  ({ database }: Context) =>
  async (request: AccountHolderFields__Output): Promise<AccountHolder> =>
    accountHolderMessage((await createAccountHolder(database, accountHolderContent(request))).holder);
