import type { EndpointState } from '../store/delivery-runs.ts';
import { lastHandled, matchesType, newDeliveries, pageSize, type Batch } from './batch.ts';
import type { DeliveryContext } from './context.ts';

/** Reads the events that follow the endpoint's position. Returns undefined at the end of the log. */
export async function readLogPage(
  { sharedLog, clock }: DeliveryContext,
  endpoint: EndpointState,
): Promise<Batch | undefined> {
  const { salesChannelId, position } = endpoint;
  const { events, hasMore } = await sharedLog.follow(salesChannelId, position?.createdAt, pageSize(endpoint));
  if (events.length === 0) return undefined;
  const deliveries = newDeliveries(endpoint, events, position?.eventId ?? null, clock.now()).filter(({ event }) =>
    matchesType(endpoint, event),
  );
  return {
    deliveries,
    progressAfter: (tried) => {
      const last = lastHandled(events, deliveries[tried]);
      return last ? { position: { eventId: last.id, createdAt: last.createdAt } } : {};
    },
    hasMore,
  };
}
