import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { endpointChange } from '../domain/endpoint.ts';
import { changeEndpoint } from '../operations/endpoints.ts';
import { endpointMessage } from './messages.ts';

export const updateEndpoint: Rpc<'webhooks.UpdateEndpoint', Context> = (context) => {
  const schema = endpointChange(context.targetRules);
  return async ({ endpointId, ...request }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    const change = parse(schema, request, 'The webhook endpoint is not valid.');
    return endpointMessage(await changeEndpoint(context, owned, change, actorOf(call)));
  };
};
