import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parse, readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { deliveryFilter } from '../domain/delivery.ts';
import { newReplay } from '../domain/endpoint.ts';
import { bodyOf } from '../domain/message.ts';
import { replayEvents as replay, retryDelivery as retry, testEndpoint as sendTest } from '../operations/deliveries.ts';
import { deliveriesOf, findDelivery, listAttempts } from '../store/deliveries.ts';
import { findEndpoint } from '../store/endpoints.ts';
import { attemptMessage, deliveryMessage, replayMessage } from './messages.ts';

export const listDeliveries: Rpc<'webhooks.ListDeliveries', Context> =
  ({ reads, clock }) =>
  async ({ endpointId, ascending, ...request }, call) => {
    const id = idToFind(endpointId);
    const title = 'The list cannot be filtered this way.';
    const filter = parse(deliveryFilter, request.filter ?? {}, title, () => ({ parameter: '$filter' }));
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), async (em) => {
      if (!(await findEndpoint(em, id, salesChannelOf(call), clock.now().toISOString()))) throw notFound();
      return deliveriesOf(em, id, filter, ascending, asked);
    });
    return { deliveries: rows.map(deliveryMessage), ...(next === undefined ? {} : { next }) };
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
      delivery: deliveryMessage(delivery),
      url: endpoint.url,
      body: bodyOf(delivery),
      attempts: attempts.map(attemptMessage),
    };
  };

export const testEndpoint: Rpc<'webhooks.TestEndpoint', Context> = (context) => async (request, call) => {
  const owned = { id: idToFind(request.endpointId), salesChannelId: salesChannelOf(call) };
  return answerOnce(
    'webhooks.TestEndpoint',
    { database: context.database, call, request },
    (database) => sendTest({ ...context, database }, owned),
    deliveryMessage,
  );
};

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
