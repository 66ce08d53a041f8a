import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';

export type Endpoint = Schemas['WebhookEndpoint'];
export type EventType = Schemas['WebhookEventType'];
export type Delivery = Schemas['WebhookDelivery'];
export type DeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type Attempt = Schemas['WebhookAttempt'];

const AGAIN_MS = 5_000;
/** While somebody waits for an attempt that is made right now. */
const SOON_MS = 1_000;

export const listKey = ['webhooks', 'list'] as const;
/** Of an endpoint and of everything that belongs to it. */
export const endpointKey = (webhookEndpointId: string): readonly string[] => [
  'webhooks',
  'endpoint',
  webhookEndpointId,
];

export const endpointsPath = '/channel/webhooks';
export const endpointPath = (id: string): string => `${endpointsPath}/${encodeURIComponent(id)}`;
export const deliveryPath = ({ endpointId, id }: Pick<Delivery, 'endpointId' | 'id'>): string =>
  `${endpointPath(endpointId)}/deliveries/${encodeURIComponent(id)}`;

/** What is read again and again keeps no session alive. */
const byItself = { headers: { 'X-Portal': 'background' } } as const;

/** All endpoints of the sales channel, oldest first, and how they fare by now. */
export const useEndpoints = (): UseQueryResult<readonly Endpoint[]> =>
  useQuery({
    queryKey: listKey,
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) => dataOf(api.GET('/saleschannel-services/v1/webhook-endpoints', { ...byItself, signal })),
  });

export const useEndpoint = (webhookEndpointId: string): UseQueryResult<Endpoint> =>
  useQuery({
    queryKey: endpointKey(webhookEndpointId),
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}', {
          ...byItself,
          signal,
          params: { path: { webhookEndpointId } },
        }),
      ),
  });

/** After how long a delivery may look different. False: not by itself. @param now milliseconds since 1970 */
export function againMs(delivery: Pick<Delivery, 'status' | 'nextAttemptAt'> | undefined, now: number): number | false {
  if (delivery?.status !== 'PENDING') return false;
  const { nextAttemptAt } = delivery;
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now + AGAIN_MS ? SOON_MS : AGAIN_MS;
}

/** One delivery with its attempts, until it has ended. */
export const useDelivery = (endpointId: string, deliveryId: string): UseQueryResult<DeliveryDetail> =>
  useQuery<DeliveryDetail>({
    queryKey: [...endpointKey(endpointId), 'delivery', deliveryId],
    refetchInterval: ({ state }) => againMs(state.data, Date.now()),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}', {
          ...byItself,
          signal,
          params: { path: { webhookEndpointId: endpointId, deliveryId } },
        }),
      ),
  });
