import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { testEndpoint as sendTest } from '../operations/deliveries.ts';
import { deliveryMessage } from './messages.ts';

export const testEndpoint: Rpc<'webhooks.TestEndpoint', Context> = (context) => async (request, call) => {
  const owned = { id: idToFind(request.endpointId), salesChannelId: salesChannelOf(call) };
  return answerOnce(
    'webhooks.TestEndpoint',
    { database: context.database, call, request },
    (database) => sendTest({ ...context, database }, owned),
    deliveryMessage,
  );
};
