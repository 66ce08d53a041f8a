import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import type { Context } from '../context.ts';
import { createApiKey as create } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

export const createApiKey: Rpc<'identity.CreateApiKey', Context> = (context) => async (request, call) => {
  const { userId, keyId } = userOf(call);
  return answerOnce(
    'identity.CreateApiKey',
    { ...context, call, request },
    (database) => create({ ...context, database }, { userId, madeWithKeyId: keyId }, actorOf(call)),
    createdKeyMessage,
  );
};
