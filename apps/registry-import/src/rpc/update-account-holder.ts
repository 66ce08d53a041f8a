import type { AccountHolder } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import type { UpdateAccountHolderRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/UpdateAccountHolderRequest';
import { DomainError } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import * as operations from '../operations/update-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

export const updateAccountHolder =
  ({ database }: Context) =>
  async ({ accountHolderId, mergePatchJson }: UpdateAccountHolderRequest__Output): Promise<AccountHolder> =>
    accountHolderMessage(await operations.updateAccountHolder(database, accountHolderId, readJson(mergePatchJson)));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed-body', 'The merge patch is no JSON.', { cause: error });
  }
}
