import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { bodyOf } from '../domain/message.ts';
import { findDelivery, listAttempts } from '../store/deliveries.ts';
import { findEndpoint } from '../store/endpoints.ts';
import { attemptMessage, deliveryMessage } from './messages.ts';

export const getDelivery: Rpc<'webhooks.GetDelivery', Context> =
  ({ database, clock }) =>
  async ({ endpointId, deliveryId }, call) => {
    const id = idToFind(endpointId);
    const endpoint = await findEndpoint(database.em(), id, salesChannelOf(call), clock.now().toISOString());
    const delivery = endpoint && (await findDelivery(database.em(), idToFind(deliveryId), id));
    if (!delivery) throw notFound();
    const attempts = await listAttempts(database.em(), delivery.id);
    return {
      delivery: deliveryMessage(delivery),
      url: endpoint.url,
      body: bodyOf(delivery),
      attempts: attempts.map(attemptMessage),
    };
  };
