import { systemClock, type Clock } from '@saleschannel/primitives';

export interface TestClock extends Clock {
  /** Stops the clock at this time. */
  stopAt(time: Date | string | number): void;
  /** Returns to the real time. */
  resume(): void;
}

/** Creates a clock that tests can stop. Tokens between services always use the real time. */
export function testClock(): TestClock {
  let stoppedAt: Date | undefined;
  return {
    now: () => stoppedAt ?? systemClock.now(),
    stopAt: (time) => void (stoppedAt = new Date(time)),
    resume: () => void (stoppedAt = undefined),
  };
}
