import type { Clock } from '@saleschannel/primitives';

export interface MovableClock extends Clock {
  /** Milliseconds before the real time; 0 sets it right again. */
  ahead(ms: number): void;
}

/** A clock that tests move; real until then. */
export function movableClock(): MovableClock {
  let offsetMs = 0;
  return { now: () => new Date(Date.now() + offsetMs), ahead: (ms) => void (offsetMs = ms) };
}
