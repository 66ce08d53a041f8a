import type { Kill } from '../contract.ts';
import type { Answers } from './answers.ts';
import { listDecisions, isSuccess, type Call } from './findings.ts';

/** Replicas that process a transfer after its acceptance. */
const ON_THE_WAY = /^(?:tasks|inventory|events|all-in-one)-/;

/**
 * Counts the transfers for which a replica was killed between their acceptance and the event of their end, at the time
 * that the log records. Transfers that waited for a decision do not count.
 */
export function countInFlight(calls: readonly Call[], { channels }: Answers, kills: readonly Kill[]): number {
  const decided = new Set(listDecisions(calls).map(({ transactionId }) => transactionId));
  const endTimes = new Map(
    channels.flatMap(({ events }) =>
      events.map(({ createdAt, payload }) => [payload.transactionId, Date.parse(createdAt)] as const),
    ),
  );
  const times = kills.filter(({ replica }) => ON_THE_WAY.test(replica)).map(({ atMs }) => atMs);
  return calls.filter(({ outcome, end }) => {
    if (!outcome || !isSuccess(outcome) || end?.id === undefined || decided.has(end.id)) return false;
    const endedMs = endTimes.get(end.id) ?? 0;
    return times.some((atMs) => outcome.at <= atMs && atMs < endedMs);
  }).length;
}
