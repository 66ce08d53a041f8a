import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { retryDelivery as retry } from '../operations/deliveries.ts';
import { deliveryMessage } from './messages.ts';

export const retryDelivery: Rpc<'webhooks.RetryDelivery', Context> =
  (context) =>
  async ({ endpointId, deliveryId }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    return deliveryMessage(await retry(context, owned, idToFind(deliveryId)));
  };
