import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parse, readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { bodyOf, deliveryFilter } from '../domain/delivery.ts';
import { newReplay } from '../domain/endpoint.ts';
import { replayEvents as replay, retryDelivery as retry, testEndpoint as sendTest } from '../operations/deliveries.ts';
import { findDelivery, listAttempts, listDeliveries as list } from '../store/deliveries.ts';
import { findEndpoint } from '../store/endpoints.ts';
import { toAttemptMessage, toDeliveryMessage, toReplayMessage } from './messages.ts';

export const listDeliveries: Rpc<'webhooks.ListDeliveries', Context> =
  ({ reads, clock }) =>
  async ({ endpointId, ascending, ...request }, call) => {
    const id = idToFind(endpointId);
    const title = 'The list cannot be filtered this way.';
    const filter = parse(deliveryFilter, request.filter ?? {}, title, () => ({ parameter: '$filter' }));
    const page = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), async (em) => {
      if (!(await findEndpoint(em, id, salesChannelOf(call), clock.now().toISOString()))) throw notFound();
      return list(em, id, filter, ascending, page);
    });
    return { deliveries: rows.map(toDeliveryMessage), ...(next === undefined ? {} : { next }) };
  };

export const getDelivery: Rpc<'webhooks.GetDelivery', Context> =
  ({ database, clock }) =>
  async ({ endpointId, deliveryId }, call) => {
    const id = idToFind(endpointId);
    const endpoint = await findEndpoint(database.em(), id, salesChannelOf(call), clock.now().toISOString());
    const delivery = endpoint && (await findDelivery(database.em(), idToFind(deliveryId), id));
    if (!delivery) throw notFound();
    const attempts = await listAttempts(database.em(), delivery.id);
    return {
      delivery: toDeliveryMessage(delivery),
      url: endpoint.url,
      body: bodyOf(delivery),
      attempts: attempts.map(toAttemptMessage),
    };
  };

export const testEndpoint: Rpc<'webhooks.TestEndpoint', Context> = (context) => async (request, call) => {
  const endpointRef = { id: idToFind(request.endpointId), salesChannelId: salesChannelOf(call) };
  return answerOnce(
    'webhooks.TestEndpoint',
    { database: context.database, call, request },
    (database) => sendTest({ ...context, database }, endpointRef),
    toDeliveryMessage,
  );
};

export const retryDelivery: Rpc<'webhooks.RetryDelivery', Context> = (context) => async (request, call) => {
  const { endpointId, deliveryId } = request;
  const endpointRef = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  return answerOnce(
    'webhooks.RetryDelivery',
    { database: context.database, call, request },
    (database) => retry({ ...context, database }, endpointRef, idToFind(deliveryId)),
    toDeliveryMessage,
  );
};

export const replayEvents: Rpc<'webhooks.ReplayEvents', Context> = (context) => async (request, call) => {
  const { endpointId, ...terms } = request;
  const endpointRef = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  const range = parse(newReplay, terms, 'The events cannot be replayed.');
  return answerOnce(
    'webhooks.ReplayEvents',
    { database: context.database, call, request },
    (database) => replay({ ...context, database }, endpointRef, range, actorOf(call)),
    toReplayMessage,
  );
};
