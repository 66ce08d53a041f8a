import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { rotation } from '../domain/endpoint.ts';
import { rotateSecret as rotate } from '../operations/endpoints.ts';
import { endpointMessage } from './messages.ts';

export const rotateSecret: Rpc<'webhooks.RotateSecret', Context> =
  (context) =>
  async ({ endpointId, ...request }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    const { overlapHours } = parse(rotation, request, 'The secret cannot be rotated this way.');
    const { endpoint, secret } = await rotate(context, owned, overlapHours, actorOf(call));
    return { endpoint: endpointMessage(endpoint), secret };
  };
