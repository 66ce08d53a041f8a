import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time for which services may act on an account holder's approval and status, from the start of their call (ADR 7). All
 * replicas must agree on it, so it is not a setting. Tests shorten it.
 */
export const holderLease = { ms: 2_000 };
/** Allowance for commits that began within the lease, and for clock drift. */
const COMMIT_MS = 250;

/**
 * Waits until no service acts on an account holder's former state. Call it after the commit and before the answer, even
 * if this call changed nothing: it may repeat one whose answer was lost.
 */
export const waitForLeases = (): Promise<void> => delay(holderLease.ms + COMMIT_MS);
