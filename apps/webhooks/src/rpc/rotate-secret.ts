import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { rotation } from '../domain/endpoint.ts';
import { rotateSecret as rotate } from '../operations/endpoints.ts';
import { withSecretMessage } from './messages.ts';

export const rotateSecret: Rpc<'webhooks.RotateSecret', Context> = (context) => async (request, call) => {
  const { endpointId, ...terms } = request;
  const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  const { overlapHours } = parse(rotation, terms, 'The secret cannot be rotated this way.');
  return answerOnce(
    'webhooks.RotateSecret',
    { ...context, call, request },
    (database) => rotate({ ...context, database }, owned, overlapHours, actorOf(call)),
    withSecretMessage,
  );
};
