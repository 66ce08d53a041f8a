import { DomainError } from '@saleschannel/errors';
import { currentLimit, runWithin, type WorkLimit } from '@saleschannel/runtime';

/** The lease on the account holders' answers has ended. Ask them again. */
export class LeaseEnded extends DomainError {
  constructor() {
    super('unavailable', 'The account holders did not answer in time. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Runs work whose transaction must not commit after the end of a lease. The process checks before each round trip, and
 * PostgreSQL checks at the commit, in case the process was suspended in between.
 * @param until end of the lease, on the `performance.now()` clock
 * @throws LeaseEnded, or the error of the work
 */
export async function runWithinLease<T>(until: number, work: () => Promise<T>): Promise<T> {
  if (until === Infinity) return work();
  const outer = currentLimit();
  const limit: WorkLimit = {
    // Computed on each read, because the wall clock may be set meanwhile.
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
