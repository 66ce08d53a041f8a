import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createApiKey as create } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

export const createApiKey: Rpc<'identity.CreateApiKey', Context> = (context) => async (_request, call) => {
  const { userId, keyId } = userOf(call);
  return createdKeyMessage(await create(context, { userId, madeWithKeyId: keyId }, actorOf(call)));
};
