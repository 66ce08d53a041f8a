import type { Rpc } from '@saleschannel/grpc';
import { idListToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { holderLease } from '../operations/leases.ts';
import { findByIds } from '../store/account-holders.ts';
import { accountHolderMessage } from './messages.ts';

const requestSchema = z.object({ accountHolderIds: idListToFind });

export const getAccountHolders: Rpc<'accountHolderDirectory.GetAccountHolders', Context> =
  ({ database }) =>
  async (request) => {
    const { accountHolderIds } = parse(requestSchema, request, 'The account holders cannot be looked up.');
    const found = await findByIds(database.em(), accountHolderIds);
    return { accountHolders: found.map(accountHolderMessage), leaseMs: holderLease.ms };
  };
