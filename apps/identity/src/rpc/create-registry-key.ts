import { actorOf } from '@saleschannel/audit';
import { accountHolderOf, userOf, type Rpc } from '@saleschannel/grpc';
import { date, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { INVALID_EXPIRY } from '../domain/key.ts';
import { createRegistryKey as create } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

const requestSchema = z.object({ expiresAt: date });

export const createRegistryKey: Rpc<'identity.CreateRegistryKey', Context> = (context) => async (request, call) => {
  const owner = { accountHolderId: accountHolderOf(call), createdBy: userOf(call).userId };
  const { expiresAt } = parse(requestSchema, request, INVALID_EXPIRY);
  return createdKeyMessage(await create(context, owner, expiresAt, actorOf(call)));
};
