import { count, instant, interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';

const at = '2025-03-04T10:02:11.318Z';
type InChannel = Readonly<Record<'channel', string>>;
/** May create and change endpoints. */
const asAdministrator = ({ channel }: InChannel) =>
  ({ salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }) as const;
/** May read events and their deliveries. */
const asViewer = ({ channel }: InChannel) => ({ salesChannelId: channel, roles: ['EVENT_VIEWER'] }) as const;

const type = 'TRANSACTION_STATUS_CHANGE';
const url = 'https://hooks.example/in';
const plain = 'a webhook endpoint';
const one = { channel: 'c1', endpoint: 'w1' };
const failing = 'a webhook endpoint whose receiver failed on an event';
const failed = { channel: 'c1', endpoint: 'w2', delivery: 'd1', event: 'e1', address: 'https://hooks.example/down' };

const endpoint = (id: string) => ({
  id,
  url: text(url),
  description: undefined,
  eventTypes: [],
  ordered: false,
  status: 'ENABLED',
  disabledReason: undefined,
  createdAt: instant(at),
  createdBy: text('u1'),
  secrets: [{ createdAt: instant(at), expiresAt: undefined }],
  pendingDeliveries: count(0),
  replay: undefined,
});
const made = { ...endpoint('w9'), id: text('w9') };
const secret = text('whsec_eA==');

const attempt = {
  number: 1,
  startedAt: instant(at),
  durationMs: count(12),
  statusCode: 503,
  error: text('answered 503'),
  answer: text('status 503'),
};
const delivery = ({ endpoint: endpointId, delivery: id, event }: typeof failed) => ({
  id,
  endpointId,
  messageId: event,
  type,
  event: {
    id: event,
    eventType: type,
    createdAt: instant(at),
    eventAt: instant(at),
    transactionId: text('x1'),
    status: text('SUCCESS'),
  },
  status: oneOf('PENDING', 'SUCCEEDED', 'FAILED'),
  attemptCount: count(1),
  createdAt: instant(at),
  nextAttemptAt: instant(at),
  lastAttempt: attempt,
});

/** The gateway's requirements of webhooks: endpoints and deliveries, with their required roles. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'webhooks',
  interactions: [
    interaction('webhooks.ListEndpoints', {
      given: plain,
      values: one,
      as: asViewer,
      request: () => ({}),
      answer: ({ endpoint: id }) => ({ endpoints: [endpoint(id)] }),
    }),
    interaction('webhooks.CreateEndpoint', {
      given: 'a sales channel without webhook endpoints',
      values: { channel: 'c1' },
      as: asAdministrator,
      request: () => ({ url, description: 'Orders', eventTypes: [type], ordered: true }),
      answer: () => ({
        endpoint: { ...made, description: 'Orders', eventTypes: [type], ordered: true },
        secret,
      }),
    }),
    interaction('webhooks.GetEndpoint', {
      given: plain,
      values: one,
      as: asViewer,
      request: ({ endpoint: endpointId }) => ({ endpointId }),
      answer: ({ endpoint: id }) => endpoint(id),
    }),
    interaction('webhooks.GetEndpoint', {
      given: failing,
      values: failed,
      as: asViewer,
      request: ({ endpoint: endpointId }) => ({ endpointId }),
      answer: ({ endpoint: id, event: eventId, address }) => ({
        ...endpoint(id),
        url: address,
        pendingDeliveries: 1,
        position: { eventId, createdAt: instant(at) },
        lastSuccessAt: undefined,
        lastFailureAt: instant(at),
        failingSince: instant(at),
      }),
    }),
    interaction('webhooks.GetEndpoint', {
      given: 'a webhook endpoint of another channel',
      values: { channel: 'c1', foreign: 'w3' },
      as: asViewer,
      request: ({ foreign }) => ({ endpointId: foreign }),
      refusal: 'not-found',
    }),
    interaction('webhooks.UpdateEndpoint', {
      given: plain,
      values: one,
      as: asAdministrator,
      request: ({ endpoint: endpointId }) => ({
        endpointId,
        url,
        description: '',
        eventTypes: { types: [] },
        status: 'DISABLED',
      }),
      answer: ({ endpoint: id }) => ({ ...endpoint(id), status: 'DISABLED', disabledReason: 'MANUAL' }),
    }),
    interaction('webhooks.DeleteEndpoint', {
      given: plain,
      values: one,
      as: asAdministrator,
      request: ({ endpoint: endpointId }) => ({ endpointId }),
      answer: ({ endpoint: id }) => endpoint(id),
    }),
    interaction('webhooks.RotateSecret', {
      given: plain,
      values: one,
      as: asAdministrator,
      request: ({ endpoint: endpointId }) => ({ endpointId, overlapHours: 24 }),
      answer: ({ endpoint: id }) => ({
        endpoint: {
          ...endpoint(id),
          secrets: [
            { createdAt: instant(at), expiresAt: undefined },
            { createdAt: instant(at), expiresAt: instant(at) },
          ],
        },
        secret,
      }),
    }),
    interaction('webhooks.TestEndpoint', {
      given: plain,
      values: one,
      as: asViewer,
      request: ({ endpoint: endpointId }) => ({ endpointId }),
      answer: ({ endpoint: endpointId }) => ({
        id: text('d2'),
        endpointId,
        messageId: text('m2'),
        type: 'TEST',
        event: undefined,
        status: 'PENDING',
        attemptCount: 0,
        createdAt: instant(at),
        lastAttempt: undefined,
      }),
    }),
    interaction('webhooks.ReplayEvents', {
      given: plain,
      values: one,
      as: asViewer,
      request: ({ endpoint: endpointId }) => ({ endpointId, from: at }),
      answer: () => ({ from: at, to: instant(at), failedOnly: false, position: undefined }),
    }),
    interaction('webhooks.ListDeliveries', {
      given: failing,
      values: failed,
      as: asViewer,
      request: ({ endpoint: endpointId, event: eventId }) => ({
        endpointId,
        filter: { status: 'PENDING', eventId },
        ascending: true,
        page: { limit: 1, offset: '0' },
      }),
      answer: (values) => ({ deliveries: [delivery(values)], next: undefined }),
    }),
    interaction('webhooks.GetDelivery', {
      given: failing,
      values: failed,
      as: asViewer,
      request: ({ endpoint: endpointId, delivery: deliveryId }) => ({ endpointId, deliveryId }),
      answer: (values) => ({
        delivery: delivery(values),
        url: values.address,
        body: text('{}'),
        attempts: [attempt],
      }),
    }),
    interaction('webhooks.RetryDelivery', {
      given: failing,
      values: failed,
      as: asViewer,
      request: ({ endpoint: endpointId, delivery: deliveryId }) => ({ endpointId, deliveryId }),
      answer: (values) => ({ ...delivery(values), status: 'PENDING' }),
    }),
    ...trail('channels'),
  ],
};
