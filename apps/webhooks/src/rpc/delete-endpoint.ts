import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { deleteEndpoint as remove } from '../operations/endpoints.ts';
import { endpointMessage } from './messages.ts';

export const deleteEndpoint: Rpc<'webhooks.DeleteEndpoint', Context> =
  (context) =>
  async ({ endpointId }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    return endpointMessage(await remove(context, owned, actorOf(call)));
  };
