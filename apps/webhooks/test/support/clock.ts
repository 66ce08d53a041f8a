import { systemClock, type Clock } from '@saleschannel/primitives';

export interface TestClock extends Clock {
  /** From now on it is so much later. */
  advance(ms: number): void;
}

/** A clock that tests put forward. It goes on by itself too. */
export function testClock(): TestClock {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    advance: (ms) => void (aheadMs += ms),
  };
}
