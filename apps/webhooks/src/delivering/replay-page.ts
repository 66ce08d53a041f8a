import type { Delivery } from '../domain/delivery.ts';
import type { EndpointState } from '../store/delivery-runs.ts';
import { findDeliveriesOfEvents } from '../store/replays.ts';
import { lastHandled, matchesType, newDeliveries, pageSize, type Batch } from './batch.ts';
import type { DeliveryContext } from './context.ts';

/**
 * Reads the next page of the endpoint's replay. Stops at the endpoint's position in the log, because later events are
 * delivered without a replay. Returns undefined if no replay is under way.
 */
export async function readReplayPage(
  { database, log, clock }: DeliveryContext,
  endpoint: EndpointState,
): Promise<Batch | undefined> {
  const { replay, position } = endpoint;
  if (!replay) return undefined;
  const endMs = Math.min(Date.parse(replay.to), position ? Date.parse(position.createdAt) + 1 : 0);
  const before = new Date(endMs).toISOString();
  const after = replay.position ?? new Date(Date.parse(replay.from) - 1).toISOString();
  const limit = pageSize(endpoint);
  const page = await log.read(endpoint.salesChannelId, { after, before, limit, withPrevious: true });
  const { events, previousEventId = null } = page;
  const eventIds = events.map(({ id }) => id);
  const existing = await findDeliveriesOfEvents(database.em(), endpoint.id, eventIds);
  const known = new Map(existing.map((delivery) => [delivery.messageId, delivery]));
  const deliveries = newDeliveries(endpoint, events, previousEventId, clock.now()).flatMap((created): Delivery[] => {
    const { status, ...delivery } = known.get(created.messageId) ?? created;
    if (!matchesType(endpoint, created.event) || (known.has(created.messageId) && status === 'PENDING')) return [];
    if (replay.failedOnly && status !== 'FAILED') return [];
    return [{ ...delivery, status: 'PENDING', scheduleAttempts: 0 }];
  });
  const isLast = events.length < limit;
  return {
    deliveries,
    progressAfter(tried) {
      const untried = deliveries[tried];
      if (isLast && !untried) return { replayPosition: null };
      const last = lastHandled(events, untried);
      return last ? { replayPosition: last.createdAt } : {};
    },
    hasMore: !isLast,
  };
}
