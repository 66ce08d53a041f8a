import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import {
  unwrapResponse,
  api,
  toEqualityFilter,
  createActivityHeaders,
  unwrapData,
  nextCursor,
  type Schemas,
} from '../../shared/api/client.ts';
import { createSecret } from '../../shared/api/idempotency.ts';
import { isNotFound } from '../../shared/api/problem.ts';
import { toTimeCondition } from '../../shared/format/time.ts';
import { useCursorSource, type RowSource } from '../../shared/ui/row-source.ts';

export type Endpoint = Schemas['WebhookEndpoint'];
export type EventType = Schemas['WebhookEventType'];
export type Delivery = Schemas['WebhookDelivery'];
export type DeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type Attempt = Schemas['WebhookAttempt'];

interface QueryResult {
  readonly data: unknown;
  readonly error: Error | null;
}

const POLL_MS = 5_000;
/** Polling interval while an attempt is due. */
const DUE_POLL_MS = 1_000;

export const listKey = ['webhooks', 'list'] as const;
/** Key of an endpoint, and prefix for its deliveries. */
export const endpointKey = (webhookEndpointId: string): readonly string[] => [
  'webhooks',
  'endpoint',
  webhookEndpointId,
];

export const endpointsPath = '/channel/webhooks';
export const endpointPath = (id: string): string => `${endpointsPath}/${encodeURIComponent(id)}`;
export const deliveryPath = ({ endpointId, id }: Pick<Delivery, 'endpointId' | 'id'>): string =>
  `${endpointPath(endpointId)}/deliveries/${encodeURIComponent(id)}`;

/** Polling interval. Stops if the first read failed or the endpoint is gone. */
export const pollWhileFound = ({ state: { data, error } }: { readonly state: QueryResult }): number | false =>
  data === undefined || isNotFound(error) ? false : POLL_MS;

/** All endpoints of the sales channel, oldest first, with their status. */
export const useEndpoints = (): UseQueryResult<readonly Endpoint[]> =>
  useQuery({
    queryKey: listKey,
    refetchInterval: pollWhileFound,
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/webhook-endpoints', { headers: createActivityHeaders(asked), signal }),
      ),
  });

export const useEndpoint = (webhookEndpointId: string): UseQueryResult<Endpoint> =>
  useQuery({
    queryKey: endpointKey(webhookEndpointId),
    refetchInterval: pollWhileFound,
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}', {
          headers: createActivityHeaders(asked),
          signal,
          params: { path: { webhookEndpointId } },
        }),
      ),
  });

/** Polling interval of a delivery, or false. @param now milliseconds since 1970 */
export function pollIntervalMs(
  delivery: Pick<Delivery, 'status' | 'nextAttemptAt'> | undefined,
  now: number,
): number | false {
  if (delivery?.status !== 'PENDING') return false;
  const { nextAttemptAt } = delivery;
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now + POLL_MS ? DUE_POLL_MS : POLL_MS;
}

/** A delivery with its attempts, polled until it ends. */
export const useDelivery = (endpointId: string, deliveryId: string): UseQueryResult<DeliveryDetail> =>
  useQuery<DeliveryDetail>({
    queryKey: [...endpointKey(endpointId), 'delivery', deliveryId],
    refetchInterval: ({ state: { data, error } }) => !isNotFound(error) && pollIntervalMs(data, Date.now()),
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}', {
          headers: createActivityHeaders(asked),
          signal,
          params: { path: { webhookEndpointId: endpointId, deliveryId } },
        }),
      ),
  });

type Created = Schemas['CreatedWebhookEndpoint'];

/** Whether the secret of a replayed response is still the newest secret of the endpoint. */
async function isNewestSecret({ id, secrets: [made] }: Created): Promise<boolean> {
  const endpoints = await unwrapData(api.GET('/saleschannel-services/v1/webhook-endpoints'));
  const newest = endpoints.find((endpoint) => endpoint.id === id)?.secrets[0];
  return newest !== undefined && newest.createdAt === made?.createdAt;
}

export const createEndpoint = (body: Schemas['WebhookEndpointCreate']): Promise<Created> =>
  createSecret(() => unwrapResponse(api.POST('/saleschannel-services/v1/webhook-endpoints', { body })), isNewestSecret);

export const rotateSecret = (webhookEndpointId: string, overlapHours: number): Promise<Created> =>
  createSecret(
    () =>
      unwrapResponse(
        api.POST('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/secret', {
          params: { path: { webhookEndpointId } },
          body: { overlapHours },
        }),
      ),
    isNewestSecret,
  );

/** Summary of an endpoint's status. */
export type EndpointHealth = 'unused' | 'works' | 'failing' | 'disabled' | 'gone' | 'gaveUp';

type Known = Pick<Endpoint, 'status' | 'disabledReason' | 'failingSince' | 'lastSuccessAt'>;

export function endpointHealth({ status, disabledReason, failingSince, lastSuccessAt }: Known): EndpointHealth {
  if (status === 'DISABLED') {
    if (disabledReason === 'GONE') return 'gone';
    return disabledReason === 'FAILING' ? 'gaveUp' : 'disabled';
  }
  if (failingSince !== null) return 'failing';
  return lastSuccessAt === null ? 'unused' : 'works';
}

/** Whether the receiver fails and needs attention. */
export const needsAttention = (endpoint: Known): boolean =>
  ['failing', 'gone', 'gaveUp'].includes(endpointHealth(endpoint));

/** Display name. */
export const endpointName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? URL.parse(url)?.host ?? url;

/** Progress of a replay, from 0 to 1. */
export function calculateReplayProgress({
  from,
  to,
  position,
}: Pick<NonNullable<Endpoint['replay']>, 'from' | 'to' | 'position'>) {
  if (position === null) return 0;
  const [begin, end, at] = [from, to, position].map((time) => Date.parse(time)) as [number, number, number];
  return end <= begin ? 1 : Math.min(1, Math.max(0, (at - begin) / (end - begin)));
}

export const deliveryFilterNames = ['status', 'event', 'from', 'to'] as const;
type DeliveryFilters = Readonly<Partial<Record<(typeof deliveryFilterNames)[number], string>>>;

const DELIVERIES_PER_PAGE = 100;
const DELIVERIES_POLL_MS = 5_000;

/** API filter. Undefined for all deliveries. */
export function toDeliveryFilter({
  status,
  event,
  from,
  to,
}: DeliveryFilters): Schemas['WebhookDeliveryFilter'] | undefined {
  const createdAt = toTimeCondition({ from, to });
  const equal = toEqualityFilter<Schemas['WebhookDeliveryFilter']>({ status, eventId: event });
  return createdAt ? { ...equal, createdAt } : equal;
}

/** Matching deliveries of an endpoint, newest first. */
export const useDeliveries = (webhookEndpointId: string, filters: DeliveryFilters): RowSource<Delivery> =>
  useCursorSource<Delivery>({
    queryKey: [...endpointKey(webhookEndpointId), 'deliveries', filters],
    // Polling stops once the user has scrolled beyond the first page.
    getPollMs: (rows) => (rows.length <= DELIVERIES_PER_PAGE ? DELIVERIES_POLL_MS : false),
    async fetchPage({ after, signal, ...asked }) {
      const $filter = toDeliveryFilter(filters);
      const query = {
        $limit: DELIVERIES_PER_PAGE,
        ...($filter && { $filter }),
        ...(after !== undefined && { $after: after }),
      };
      const { data, headers } = await unwrapResponse(
        api.GET('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/deliveries', {
          signal,
          headers: createActivityHeaders(asked),
          params: { path: { webhookEndpointId }, query },
        }),
      );
      return { items: data, next: nextCursor(headers.get('Link')) ?? null };
    },
  });
