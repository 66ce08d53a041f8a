import { useEffect, useState } from 'react';
import { follow, type FollowState } from '../../../shared/api/follow.ts';
import { OPERATIONS, type Schemas } from '../../api.ts';

export type Activity = Schemas['Activity'];

export interface Picture {
  /** Undefined until the first one came. */
  readonly activity: Activity | undefined;
  readonly state: FollowState;
  readonly error: unknown;
}

/** The newest picture of the installation, as long as the page is open. The stream ends at times, and begins anew. */
export function useActivity(): Picture {
  const [picture, setPicture] = useState<Picture>({ activity: undefined, state: 'connecting', error: undefined });
  useEffect(() => {
    const stop = new AbortController();
    void follow({
      path: `${OPERATIONS}/activity/stream`,
      // Pictures have no ids: a stream begins with the newest one.
      lastId: '0',
      signal: stop.signal,
      onMessage: ({ event, data }) => {
        if (event === 'activity') setPicture((now) => ({ ...now, activity: JSON.parse(data) as Activity }));
      },
      onState: (state, _lastId, error) => setPicture((now) => ({ ...now, state, error })),
    });
    return () => stop.abort();
  }, []);
  return picture;
}
