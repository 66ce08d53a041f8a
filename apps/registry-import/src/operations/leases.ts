import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long a service may act on an account holder's approval and status, counted from before it asked (ADR 7). The same
 * in all replicas, so it is no setting. Tests shorten it.
 */
export const holderLease = { ms: 2_000 };
/** Time for a commit that began within the lease to end, and for clocks that do not run at the same speed. */
const COMMIT_MS = 250;

/**
 * Waits until no service acts any more on what it knew of an account holder before now. To be called after the commit
 * and before the answer, whether or not this call made the change: a repetition may follow a commit without an answer.
 */
export const leasesEnded = (): Promise<void> => delay(holderLease.ms + COMMIT_MS);
