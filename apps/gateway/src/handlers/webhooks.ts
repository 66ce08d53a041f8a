import { pick } from '@saleschannel/edge';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { BodyOf, QueryOf } from '../contract/operations.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toEvent } from './events.ts';
import { toChannelLink } from './lists.ts';
import { toRequiredPage, withoutNulls } from './requests.ts';

type Endpoint = ReplyOf<'webhooks.GetEndpoint'>;
type Delivery = ReplyOf<'webhooks.TestEndpoint'>;
type Attempt = ReplyOf<'webhooks.GetDelivery'>['attempts'][number];

const toReplay = (replay: ReplyOf<'webhooks.ReplayEvents'>) => ({
  ...pick(replay, 'from', 'to', 'failedOnly'),
  position: replay.position ?? null,
});

const toEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description ?? null,
  // In the message, an empty list means all types.
  eventTypes: endpoint.eventTypes.length === 0 ? null : endpoint.eventTypes,
  ...pick(endpoint, 'ordered', 'status'),
  disabledReason: endpoint.disabledReason ?? null,
  ...pick(endpoint, 'createdAt', 'createdBy'),
  secrets: endpoint.secrets.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
  position: endpoint.position ? pick(endpoint.position, 'eventId', 'createdAt') : null,
  pendingDeliveries: endpoint.pendingDeliveries,
  lastSuccessAt: endpoint.lastSuccessAt ?? null,
  lastFailureAt: endpoint.lastFailureAt ?? null,
  failingSince: endpoint.failingSince ?? null,
  replay: endpoint.replay ? toReplay(endpoint.replay) : null,
});

function withSecret({ endpoint, secret }: ReplyOf<'webhooks.CreateEndpoint'>) {
  if (!endpoint) throw new Error('webhooks answered without the endpoint');
  return { ...toEndpoint(endpoint), secret };
}

const toAttempt = (attempt: Attempt) => ({
  ...pick(attempt, 'number', 'startedAt', 'durationMs'),
  statusCode: attempt.statusCode ?? null,
  error: attempt.error ?? null,
  answer: attempt.answer ?? null,
});

const toDelivery = (delivery: Delivery) => ({
  ...pick(delivery, 'id', 'endpointId', 'messageId', 'type'),
  event: delivery.event ? toEvent(delivery.event) : null,
  ...pick(delivery, 'status', 'attemptCount', 'createdAt'),
  nextAttemptAt: delivery.nextAttemptAt ?? null,
  lastAttempt: delivery.lastAttempt ? toAttempt(delivery.lastAttempt) : null,
});

function toDeliveryDetail({ delivery, url, body, attempts }: ReplyOf<'webhooks.GetDelivery'>) {
  if (!delivery) throw new Error('webhooks answered without the delivery');
  return { ...toDelivery(delivery), url, body, attempts: attempts.map(toAttempt) };
}

/** Default of `overlapHours`, as in the contract. */
const OVERLAP_HOURS = 24;

const toCreation = ({ url, description, eventTypes, ordered }: BodyOf<'createWebhookEndpoint'>) => ({
  url,
  eventTypes: eventTypes ?? [],
  ordered: ordered ?? false,
  ...(description && { description }),
});

/** Converts an update: null removes a value, and a missing member keeps it. */
const toChange = ({ url, description, eventTypes, ordered, status }: BodyOf<'updateWebhookEndpoint'>) => ({
  ...withoutNulls({ url, ordered, status }),
  ...(description === undefined ? {} : { description: description ?? NO_DESCRIPTION }),
  ...(eventTypes === undefined ? {} : { eventTypes: { types: eventTypes ?? [] } }),
});

/** Value in a message that removes the description. */
const NO_DESCRIPTION = '';

function toListRequest(query: QueryOf<'listWebhookDeliveries'>): Omit<SentTo<'webhooks.ListDeliveries'>, 'endpointId'> {
  const { status, eventId, createdAt } = query.$filter ?? {};
  const filter = withoutNulls({ status: status?.eq, eventId: eventId?.eq, createdAt });
  return { filter, ascending: query.$orderBy?.createdAt === 'asc', page: toRequiredPage(query) };
}

export const createWebhookHandlers = ({ webhooks: service }: Clients) =>
  ({
    listWebhookEndpoints: async (_input, { callOptions }) =>
      createJsonAnswer(200, (await service.ListEndpoints({}, callOptions)).endpoints.map(toEndpoint)),
    createWebhookEndpoint: async ({ body }, { callOptions }) =>
      createJsonAnswer(201, withSecret(await service.CreateEndpoint(toCreation(body), callOptions))),
    getWebhookEndpoint: async ({ path: { webhookEndpointId: endpointId } }, { callOptions }) =>
      createJsonAnswer(200, toEndpoint(await service.GetEndpoint({ endpointId }, callOptions))),
    updateWebhookEndpoint: async ({ path: { webhookEndpointId: endpointId }, body }, { callOptions }) =>
      createJsonAnswer(200, toEndpoint(await service.UpdateEndpoint({ endpointId, ...toChange(body) }, callOptions))),
    deleteWebhookEndpoint: async ({ path: { webhookEndpointId: endpointId } }, { callOptions }) =>
      createJsonAnswer(200, toEndpoint(await service.DeleteEndpoint({ endpointId }, callOptions))),
    rotateWebhookSecret: async ({ path: { webhookEndpointId: endpointId }, body }, { callOptions }) => {
      const overlapHours = body.overlapHours ?? OVERLAP_HOURS;
      return createJsonAnswer(200, withSecret(await service.RotateSecret({ endpointId, overlapHours }, callOptions)));
    },
    testWebhookEndpoint: async ({ path: { webhookEndpointId: endpointId } }, { callOptions }) =>
      createJsonAnswer(201, toDelivery(await service.TestEndpoint({ endpointId }, callOptions))),
    replayWebhookEvents: async (
      { path: { webhookEndpointId: endpointId }, body: { from, to, failedOnly } },
      { callOptions },
    ) => {
      const request = { endpointId, from, failedOnly: failedOnly ?? false, ...withoutNulls({ to }) };
      return createJsonAnswer(202, toReplay(await service.ReplayEvents(request, callOptions)));
    },
    listWebhookDeliveries: async ({ path: { webhookEndpointId: endpointId }, query }, context) => {
      const { deliveries, next } = await service.ListDeliveries(
        { endpointId, ...toListRequest(query) },
        context.callOptions,
      );
      return createJsonAnswer(200, deliveries.map(toDelivery), toChannelLink(context, next));
    },
    getWebhookDelivery: async ({ path: { webhookEndpointId: endpointId, deliveryId } }, { callOptions }) =>
      createJsonAnswer(200, toDeliveryDetail(await service.GetDelivery({ endpointId, deliveryId }, callOptions))),
    retryWebhookDelivery: async ({ path: { webhookEndpointId: endpointId, deliveryId } }, { callOptions }) =>
      createJsonAnswer(202, toDelivery(await service.RetryDelivery({ endpointId, deliveryId }, callOptions))),
  }) satisfies Partial<Handlers>;
