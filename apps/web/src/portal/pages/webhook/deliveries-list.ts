import { unwrapResponse, api, createActivityHeaders, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import { toTimeCondition } from '../../../shared/format/time.ts';
import { useCursorSource } from '../../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { endpointKey, type Delivery } from '../../webhooks/endpoints.ts';

export const filterNames = ['status', 'event', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const PAGE_SIZE = 100;
const POLL_MS = 5_000;

/** API filter. Undefined for all deliveries. */
export function toApiFilter({ status, event, from, to }: Filters): Schemas['WebhookDeliveryFilter'] | undefined {
  const createdAt = toTimeCondition({ from, to });
  const filter = {
    ...(status === undefined ? {} : { status: { eq: status as Delivery['status'] } }),
    ...(event === undefined ? {} : { eventId: { eq: event } }),
    ...(createdAt && { createdAt }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** Matching deliveries of an endpoint, newest first. */
export const useDeliveries = (webhookEndpointId: string, filters: Filters): RowSource<Delivery> =>
  useCursorSource<Delivery>({
    queryKey: [...endpointKey(webhookEndpointId), 'deliveries', filters],
    // Polling stops once the user has scrolled beyond the first page.
    getPollMs: (rows) => (rows.length <= PAGE_SIZE ? POLL_MS : false),
    async fetchPage({ after, signal, ...asked }) {
      const $filter = toApiFilter(filters);
      const query = { $limit: PAGE_SIZE, ...($filter && { $filter }), ...(after !== undefined && { $after: after }) };
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
