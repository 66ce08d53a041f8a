import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { newReplay } from '../domain/endpoint.ts';
import { replayEvents as replay } from '../operations/deliveries.ts';
import { replayMessage } from './messages.ts';

export const replayEvents: Rpc<'webhooks.ReplayEvents', Context> =
  (context) =>
  async ({ endpointId, ...request }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    const wanted = parse(newReplay, request, 'The events cannot be replayed.');
    return replayMessage(await replay(context, owned, wanted, actorOf(call)));
  };
