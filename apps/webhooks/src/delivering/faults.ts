import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Delivery } from '../domain/delivery.ts';
import { findFault, consumeLateFault } from '../store/faults.ts';
import type { AttemptResult } from './sender.ts';

const DOWN = 503;

/** Returns a failure instead of sending to the receiver, or undefined to send. */
export type FaultInjector = (delivery: Delivery) => Promise<AttemptResult | undefined>;

const failure = (text: string, retryAfter?: number): AttemptResult => ({
  statusCode: DOWN,
  error: `answered ${DOWN}`,
  text,
  retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
});

/** Injects the faults of a sandbox. Each attempt reads them again, so that they take effect immediately. */
export const createFaultInjector =
  (database: Database, clock: Clock): FaultInjector =>
  async ({ endpointId, event }) => {
    const now = clock.now().toISOString();
    const kind = await findFault(database.em(), endpointId, now);
    if (kind === 'DOWN') return failure('The sandbox answers in place of the receiver: webhook-down.');
    // A test has one attempt, so it cannot be late.
    if (kind === undefined || event === null) return undefined;
    const seconds = await consumeLateFault(database.em(), endpointId, now);
    if (seconds === undefined) return undefined;
    return failure('The sandbox answers in place of the receiver: webhook-late.', seconds);
  };
