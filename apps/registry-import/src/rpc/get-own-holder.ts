import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { findById } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

export const getOwnHolder: Rpc<'holderPortal.GetOwnHolder', Context> =
  ({ database }) =>
  async (_request, call) => {
    const accountHolder = await findById(database.em(), accountHolderOf(call));
    if (!accountHolder) throw notFound();
    return accountHolderMessage(accountHolder);
  };
