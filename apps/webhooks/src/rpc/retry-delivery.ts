import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { retryDelivery as retry } from '../operations/deliveries.ts';
import { deliveryMessage } from './messages.ts';

export const retryDelivery: Rpc<'webhooks.RetryDelivery', Context> = (context) => async (request, call) => {
  const { endpointId, deliveryId } = request;
  const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  return answerOnce(
    'webhooks.RetryDelivery',
    { database: context.database, call, request },
    (database) => retry({ ...context, database }, owned, idToFind(deliveryId)),
    deliveryMessage,
  );
};
