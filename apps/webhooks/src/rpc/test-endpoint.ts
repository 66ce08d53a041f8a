import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { testEndpoint as sendTest } from '../operations/deliveries.ts';
import { deliveryMessage } from './messages.ts';

export const testEndpoint: Rpc<'webhooks.TestEndpoint', Context> =
  (context) =>
  async ({ endpointId }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    return deliveryMessage(await sendTest(context, owned));
  };
