import { actorOf } from '@saleschannel/audit';
import { requestRefused } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { date, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId } from '../domain/user.ts';
import { findAccountHolder } from '../neighbours/account-holders.ts';
import { createRegistryKey } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

const requestSchema = z.object({ accountHolderId, expiresAt: date });
const place = parameters({ accountHolderId: 'accountHolderId' });

export const issueRegistryKey: Rpc<'userDirectory.IssueRegistryKey', Context> = (context) => async (request, call) => {
  const { expiresAt, ...owner } = parse(requestSchema, request, 'The registry key is not valid.', place);
  const holder = await findAccountHolder(context, owner.accountHolderId, call);
  if (!holder) throw requestRefused('There is no such account holder.');
  if (holder.kind !== 'REGISTRY')
    throw requestRefused('The account holder is no registry, so its keys would not be good: set its kind first.');
  return createdKeyMessage(await createRegistryKey(context, owner, expiresAt, actorOf(call)));
};
