import { systemClock, type Clock } from '@saleschannel/primitives';

export interface TestClock extends Clock {
  /** From now on it stands still at this time, however long a test takes. */
  stopAt(time: Date | string | number): void;
  /** It is the real time again. */
  resume(): void;
}

/** A clock that tests stop; real until then. Tokens between services have the real time all the same. */
export function testClock(): TestClock {
  let stoppedAt: Date | undefined;
  return {
    now: () => stoppedAt ?? systemClock.now(),
    stopAt: (time) => void (stoppedAt = new Date(time)),
    resume: () => void (stoppedAt = undefined),
  };
}
