import type { ResponseOf } from '@saleschannel/grpc';
import { TEST_TYPE, type Attempt, type ListedDelivery } from '../domain/delivery.ts';
import type { Endpoint, Replay } from '../domain/endpoint.ts';
import type { EndpointWithSecret } from '../operations/endpoints.ts';

type WithoutNulls<T> = { [Name in keyof T]: Exclude<T[Name], null> };

/** Null is absent on the wire. */
const withoutNulls = <T extends object>(record: T): Partial<WithoutNulls<T>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Partial<WithoutNulls<T>>;

export const toReplayMessage = ({ from, to, failedOnly, position }: Replay): ResponseOf<'webhooks.ReplayEvents'> => ({
  from,
  to,
  failedOnly,
  ...withoutNulls({ position }),
});

export function toEndpointMessage(endpoint: Endpoint): ResponseOf<'webhooks.GetEndpoint'> {
  const { id, url, eventTypes, ordered, status, createdAt, createdBy, secrets, pendingDeliveries } = endpoint;
  const { description, disabledReason, position, lastSuccessAt, lastFailureAt, failingSince, replay } = endpoint;
  return {
    id,
    url,
    eventTypes: [...eventTypes],
    ordered,
    status,
    createdAt,
    createdBy,
    secrets: secrets.map((secret) => ({
      createdAt: secret.createdAt,
      ...withoutNulls({ expiresAt: secret.expiresAt }),
    })),
    pendingDeliveries,
    ...withoutNulls({ description, disabledReason, position, lastSuccessAt, lastFailureAt, failingSince }),
    ...(replay && { replay: toReplayMessage(replay) }),
  };
}

export const toEndpointWithSecret = ({
  endpoint,
  secret,
}: EndpointWithSecret): ResponseOf<'webhooks.CreateEndpoint'> => ({
  endpoint: toEndpointMessage(endpoint),
  secret,
});

export const toAttemptMessage = ({ number, startedAt, durationMs, statusCode, error, answer }: Attempt) => ({
  number,
  startedAt,
  durationMs,
  ...withoutNulls({ statusCode, error, answer }),
});

export function toDeliveryMessage(delivery: ListedDelivery): ResponseOf<'webhooks.TestEndpoint'> {
  const { id, endpointId, messageId, event, status, attemptCount, createdAt, nextAttemptAt, lastAttempt } = delivery;
  return {
    id,
    endpointId,
    messageId,
    type: event?.eventType ?? TEST_TYPE,
    status,
    attemptCount,
    createdAt,
    ...withoutNulls({ event, nextAttemptAt }),
    ...(lastAttempt && { lastAttempt: toAttemptMessage(lastAttempt) }),
  };
}
