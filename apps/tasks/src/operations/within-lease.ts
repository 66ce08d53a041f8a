import { DomainError } from '@saleschannel/errors';
import { currentLimit, runWithin, type WorkLimit } from '@saleschannel/runtime';

/** What the account holders said may not be acted on any more. They are to be asked again. */
export class LeaseEnded extends DomainError {
  constructor() {
    super('unavailable', 'The account holders did not answer in time. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Runs work whose transaction does not commit once a lease has ended. The process checks before each round trip. The
 * server checks with the commit, so that a process which stood still in between commits nothing either.
 * @param until on the `performance.now()` clock
 * @throws LeaseEnded, or whatever the work throws
 */
export async function withinLease<T>(until: number, work: () => Promise<T>): Promise<T> {
  if (until === Infinity) return work();
  const outer = currentLimit();
  const limit: WorkLimit = {
    // Read anew each time: the wall clock may have been set meanwhile.
    get deadline() {
      return Math.min(outer?.deadline ?? Infinity, Date.now() + until - performance.now());
    },
    isCancelled: () => performance.now() >= until || outer?.isCancelled() === true,
  };
  try {
    return await runWithin(limit, work);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable' && performance.now() >= until)
      throw new LeaseEnded();
    throw error;
  }
}
