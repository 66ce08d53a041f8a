import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newReplay } from '../domain/endpoint.ts';
import { replayEvents as replay } from '../operations/deliveries.ts';
import { replayMessage } from './messages.ts';

export const replayEvents: Rpc<'webhooks.ReplayEvents', Context> = (context) => async (request, call) => {
  const { endpointId, ...terms } = request;
  const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  const wanted = parse(newReplay, terms, 'The events cannot be replayed.');
  return answerOnce(
    'webhooks.ReplayEvents',
    { database: context.database, call, request },
    (database) => replay({ ...context, database }, owned, wanted, actorOf(call)),
    replayMessage,
  );
};
