import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';
import { follow, type FollowState } from '../../../shared/api/follow.ts';

export type Event = Schemas['Event'];

const BEFORE = 100;
/** Older ones leave the page. The log keeps them. */
const SHOWN_AT_MOST = 500;

export const newestFirst = { $orderBy: { createdAt: 'desc' as const } };

/** The latest events, from the newest on: where the log is when the page is opened. */
export const useRecentEvents = (): UseQueryResult<Event[]> =>
  useQuery({
    queryKey: ['events', 'recent'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/events', {
          signal,
          params: { query: { ...newestFirst, $limit: BEFORE } },
        }),
      ),
  });

/** A further event on top. One that is there already, after a break, is not shown twice. */
export function withEvent(events: readonly Event[], event: Event): readonly Event[] {
  if (events.some(({ id }) => id === event.id)) return events;
  return [event, ...events].slice(0, SHOWN_AT_MOST);
}

export interface EventLog {
  readonly events: readonly Event[];
  readonly state: FollowState;
  readonly lastId: string;
  readonly error: unknown;
}

/** The log from some events on. While it is paused nothing is asked for, and then it goes on where it was. */
export function useEventLog(before: readonly Event[], isPaused: boolean): EventLog {
  const [log, setLog] = useState<EventLog>(() => ({
    events: before,
    state: 'connecting',
    // From the first event of a log that has none yet.
    lastId: before[0]?.id ?? '0',
    error: undefined,
  }));
  // Where it was when it was paused last, or when the page was opened.
  const [from, setFrom] = useState(log.lastId);
  useEffect(() => {
    if (isPaused) {
      setFrom(log.lastId);
      return;
    }
    const stop = new AbortController();
    void follow({
      path: '/saleschannel-services/v1/events/stream',
      lastId: from,
      signal: stop.signal,
      onMessage: ({ data }) => {
        const event = JSON.parse(data) as Event;
        setLog((now) => ({ ...now, events: withEvent(now.events, event) }));
      },
      onState: (state, lastId, error) => setLog((now) => ({ ...now, state, lastId, error })),
    });
    return () => stop.abort();
    // The place moves while it is followed, and must not begin it anew.
  }, [isPaused]);
  return log;
}
