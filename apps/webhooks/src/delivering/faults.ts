import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Delivery } from '../domain/delivery.ts';
import { findFault, takeLate } from '../store/faults.ts';
import type { Answer } from './sender.ts';

const DOWN = 503;

/** Answers in place of the receiver, which then gets nothing. Undefined: nobody does. */
export type StandIn = (delivery: Delivery) => Promise<Answer | undefined>;

const answerOf = (text: string, retryAfter?: number): Answer => ({
  statusCode: DOWN,
  error: `answered ${DOWN}`,
  text,
  retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
});

/** What a sandbox was asked to break. It is looked for at each attempt, so that it counts at once. */
export const createStandIn =
  (database: Database, clock: Clock): StandIn =>
  async ({ endpointId, event }) => {
    const now = clock.now().toISOString();
    const kind = await findFault(database.em(), endpointId, now);
    if (kind === 'DOWN') return answerOf('The sandbox answers in place of the receiver: webhook-down.');
    // A test has one attempt, so it cannot come late.
    if (kind === undefined || event === null) return undefined;
    const seconds = await takeLate(database.em(), endpointId, now);
    if (seconds === undefined) return undefined;
    return answerOf('The sandbox answers in place of the receiver: webhook-late.', seconds);
  };
