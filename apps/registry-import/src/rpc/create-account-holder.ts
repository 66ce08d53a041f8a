import type { AccountHolderFields__Output } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolderFields';
import type { CreateAccountHolderResponse } from '@saleschannel/contracts/gen/registry_import/v1/CreateAccountHolderResponse';
import type { Context } from '../context.ts';
import * as operations from '../operations/create-account-holder.ts';
import { accountHolderContent, accountHolderMessage } from './messages.ts';

export const createAccountHolder =
  ({ database }: Context) =>
  async (request: AccountHolderFields__Output): Promise<CreateAccountHolderResponse> => {
    const { holder, created } = await operations.createAccountHolder(database, accountHolderContent(request));
    return { accountHolder: accountHolderMessage(holder), created };
  };
