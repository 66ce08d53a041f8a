import { systemClock, type Clock } from '@saleschannel/primitives';

export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** Creates a running clock that tests can advance. */
export function testClock(): TestClock {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    advance: (ms) => void (aheadMs += ms),
  };
}
