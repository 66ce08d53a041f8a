import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { follow, type FollowState } from '../../../shared/api/follow.ts';

export type Event = Schemas['Event'];

const INITIAL_EVENTS = 100;
/** Events shown. Older events remain in the log. */
const SHOWN_AT_MOST = 500;

export const newestFirst = { $orderBy: { createdAt: 'desc' as const } };

/** Latest events when the page opens, newest first. */
export const useRecentEvents = (): UseQueryResult<Event[]> =>
  useQuery({
    queryKey: ['events', 'recent'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/events', {
          signal,
          params: { query: { ...newestFirst, $limit: INITIAL_EVENTS } },
        }),
      ),
  });

/** Adds an event at the top, unless it is shown already after a reconnect. */
export function addEvent(events: readonly Event[], event: Event): readonly Event[] {
  if (events.some(({ id }) => id === event.id)) return events;
  return [event, ...events].slice(0, SHOWN_AT_MOST);
}

export interface EventLog {
  readonly events: readonly Event[];
  readonly state: FollowState;
  readonly lastId: string;
  readonly error: unknown;
}

/** Follows the log from the given events on. Pausing closes the stream; resuming continues at the same event. */
export function useEventLog(before: readonly Event[], isPaused: boolean): EventLog {
  const [log, setLog] = useState<EventLog>(() => ({
    events: before,
    state: 'connecting',
    // An empty log starts at its first event.
    lastId: before[0]?.id ?? '0',
    error: undefined,
  }));
  // Start of the stream: where it was paused, or where the page opened.
  const [from, setFrom] = useState(log.lastId);
  useEffect(() => {
    if (isPaused) {
      setFrom(log.lastId);
      return;
    }
    const stop = new AbortController();
    void follow({
      path: '/api/saleschannel-services/v1/events/stream',
      lastId: from,
      signal: stop.signal,
      onMessage: ({ data }) => {
        const event = JSON.parse(data) as Event;
        setLog((now) => ({ ...now, events: addEvent(now.events, event) }));
      },
      onState: (state, lastId, error) => setLog((now) => ({ ...now, state, lastId, error })),
    });
    return () => stop.abort();
    // `lastId` changes while streaming and must not restart the stream.
  }, [isPaused]);
  return log;
}
