import { newId } from '@saleschannel/primitives';
import { MAX_PENDING, type Delivery } from '../domain/delivery.ts';
import type { LogEvent } from '../domain/message.ts';
import type { EndpointState } from '../store/delivery-runs.ts';
import type { Progress } from '../store/outcomes.ts';

/** Events per page of the log, whose results are committed together. */
const PAGE_SIZE = 100;

/** Deliveries of one run. */
export interface Batch {
  readonly deliveries: readonly Delivery[];
  /** Progress to record when the first `tried` deliveries were tried. */
  progressAfter(tried: number): Progress;
  /** True if more of the same kind follows. */
  readonly hasMore: boolean;
}

export const emptyBatch: Batch = { deliveries: [], progressAfter: () => ({}), hasMore: false };

/** Limits a page so that the backlog stays within MAX_PENDING even if every delivery fails. */
export const pageSize = ({ pending }: EndpointState): number => Math.min(PAGE_SIZE, MAX_PENDING - pending);

export const matchesType = ({ eventTypes }: EndpointState, event: LogEvent | null): boolean =>
  eventTypes.length === 0 || (event !== null && eventTypes.includes(event.eventType));

/** Returns the last event before the first delivery that was not tried. */
export function lastHandled(events: readonly LogEvent[], untried: Delivery | undefined): LogEvent | undefined {
  return untried ? events[events.findIndex(({ id }) => id === untried.messageId) - 1] : events.at(-1);
}

/**
 * Creation times are one millisecond apart, so that lists of deliveries have the order of the log. A page handled in
 * fewer milliseconds than it has events is briefly ahead of the clock.
 */
export function newDeliveries(
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
