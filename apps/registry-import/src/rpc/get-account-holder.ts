import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findById } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

export const getAccountHolder: Rpc<'registryImport.GetAccountHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId }) => {
    const accountHolder = await findById(database.em(), idToFind(accountHolderId));
    if (!accountHolder) throw notFound();
    return accountHolderMessage(accountHolder);
  };
