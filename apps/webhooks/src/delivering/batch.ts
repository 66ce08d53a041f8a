import { newId } from '@saleschannel/primitives';
import { MAX_PENDING, type Delivery, type LogEvent } from '../domain/delivery.ts';
import {
  findDeliveriesOfEvents,
  findDue,
  findInOrder,
  type EndpointState,
  type Progress,
} from '../store/delivery-runs.ts';
import type { DeliveryContext } from './attempts.ts';

/** Events per page of the log, whose results are committed together. */
const PAGE_SIZE = 100;

/** Due deliveries per run. */
const MAX_DUE = 50;

/** Deliveries of one run. */
export interface Batch {
  readonly deliveries: readonly Delivery[];
  /** Progress to record when the first `tried` deliveries were tried. */
  progressAfter(tried: number): Progress;
  /** True if more of the same kind follows. */
  readonly hasMore: boolean;
}

export const emptyBatch: Batch = { deliveries: [], progressAfter: () => ({}), hasMore: false };

/** Returns the attempts that are due now, or undefined if there are none. */
export async function findDueBatch(context: DeliveryContext, endpoint: EndpointState): Promise<Batch | undefined> {
  const deliveries = await findDueDeliveries(context, endpoint);
  return deliveries.length === 0 ? undefined : { deliveries, progressAfter: () => ({}), hasMore: true };
}

/** Tests are sent even to a disabled endpoint. An ordered one gets events only up to the first that is not due. */
async function findDueDeliveries(
  { database, clock }: DeliveryContext,
  endpoint: EndpointState,
): Promise<readonly Delivery[]> {
  const now = clock.now();
  const due = await findDue(database.em(), endpoint.id, now.toISOString(), MAX_DUE);
  const tests = due.filter(({ event }) => event === null);
  if (endpoint.status !== 'ENABLED') return tests;
  if (!endpoint.ordered || due.length === tests.length) return due;
  const waiting = await findInOrder(database.em(), endpoint.id, MAX_DUE);
  const isDue = ({ nextAttemptAt }: Delivery): boolean =>
    nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now.getTime();
  const firstLater = waiting.findIndex((delivery) => !isDue(delivery));
  return [...tests, ...(firstLater === -1 ? waiting : waiting.slice(0, firstLater))];
}

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

/** Limits a page so that the backlog stays within MAX_PENDING even if every delivery fails. */
const pageSize = ({ pending }: EndpointState): number => Math.min(PAGE_SIZE, MAX_PENDING - pending);

const matchesType = ({ eventTypes }: EndpointState, event: LogEvent | null): boolean =>
  eventTypes.length === 0 || (event !== null && eventTypes.includes(event.eventType));

/** Returns the last event before the first delivery that was not tried. */
function lastHandled(events: readonly LogEvent[], untried: Delivery | undefined): LogEvent | undefined {
  return untried ? events[events.findIndex(({ id }) => id === untried.messageId) - 1] : events.at(-1);
}

/**
 * Creation times are one millisecond apart, so that lists of deliveries have the order of the log. A page handled in
 * fewer milliseconds than it has events is briefly ahead of the clock.
 */
function newDeliveries(
  { id: endpointId, lastDeliveryAt }: EndpointState,
  events: readonly LogEvent[],
  previousEventId: string | null,
  now: Date,
): Delivery[] {
  const firstMs = Math.max(now.getTime(), lastDeliveryAt === null ? 0 : Date.parse(lastDeliveryAt) + 1);
  return events.map((event, index) => ({
    id: newId(),
    endpointId,
    messageId: event.id,
    event,
    previousEventId: events[index - 1]?.id ?? previousEventId,
    status: 'PENDING',
    attemptCount: 0,
    scheduleAttempts: 0,
    createdAt: new Date(firstMs + index).toISOString(),
    nextAttemptAt: null,
  }));
}
