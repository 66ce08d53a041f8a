import type { FaultInterval, Recovery, Kill } from '../contract.ts';
import { listDecisions, type Call, isSuccess } from './findings.ts';
import type { Answers } from './answers.ts';

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

/** An interval in which operations of a kind were tried and none succeeded. */
interface Stop {
  readonly kind: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** An operation of a client, and when it completed. */
interface PendingOperation {
  readonly kind: string;
  readonly fromMs: number;
  /** Infinity if it never did. */
  readonly toMs: number;
}

/** Requests until their answer, and their tasks and imports until the end, without those that waited for a decision. */
function collectOperations(calls: readonly Call[]): PendingOperation[] {
  const decided = new Set<string | undefined>(listDecisions(calls).map(({ transactionId }) => transactionId));
  return calls.flatMap(({ kind, at, outcome, end }): PendingOperation[] => {
    const answered: PendingOperation = { kind, fromMs: at, toMs: outcome?.at ?? Infinity };
    if (!outcome || !end || decided.has(end.id)) return [answered];
    return [answered, { kind: `end of ${kind}`, fromMs: outcome.at, toMs: end.at }];
  });
}

/**
 * Stops of each kind, from a success (or from the next request if none is pending) to the next success. Kinds count
 * separately, because working reads would hide failing trades. An interval without requests is no stop.
 */
function findStops(pending: readonly PendingOperation[], endMs: number): Stop[] {
  return [...Map.groupBy(pending, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const changes = own
      .flatMap(({ fromMs, toMs }) => [
        { atMs: fromMs, waiting: 1 },
        { atMs: toMs, waiting: -1 },
      ])
      .toSorted((a, b) => a.atMs - b.atMs);
    const stops: Stop[] = [];
    let [sinceMs, waiting] = [0, 0];
    for (const change of changes) {
      if (change.waiting < 0) stops.push({ kind, fromMs: sinceMs, toMs: Math.min(change.atMs, endMs) });
      if (change.waiting < 0 || waiting === 0) sinceMs = Math.min(change.atMs, endMs);
      waiting += change.waiting;
    }
    return stops;
  });
}

/**
 * Start of a recovery. A fault of one replica must not interrupt service, so it counts from its beginning. A fault of
 * all replicas does, so it counts from its end.
 */
const countsFrom = ({ hits, fromMs, toMs }: FaultInterval): number => (hits === 'one' ? fromMs : toMs);

export interface Stops {
  readonly longestStopMs: number;
  readonly recoveries: readonly Recovery[];
}

/** Measures how long clients of any kind waited, in total and from each fault to the beginning of the next. */
export function measureStops(calls: readonly Call[], faults: readonly FaultInterval[]): Stops {
  const endMs = calls.reduce(
    (last, { at, attempts, end }) => Math.max(last, at, attempts.at(-1)?.at ?? at, end?.at ?? at),
    0,
  );
  const pending = collectOperations(calls);
  const stops = findStops(pending, endMs);
  const total = faults.filter(({ hits }) => hits === 'all');
  const longestStopMs = stops.reduce((longest, { fromMs, toMs }) => {
    const during = total.filter((fault) => fault.fromMs <= toMs && fault.toMs >= fromMs);
    return Math.max(longest, toMs - Math.max(fromMs, ...during.map((fault) => fault.toMs)));
  }, 0);
  const recoveries = faults.map((fault): Recovery => {
    const fromMs = countsFrom(fault);
    const later = faults.filter((other) => other.fromMs > fault.fromMs);
    const nextMs = Math.max(fromMs, Math.min(endMs, ...later.map((other) => other.fromMs)));
    // From its beginning on, a stop belongs to the next fault of all replicas.
    const nextOfAllMs = Math.min(Infinity, ...later.filter(({ hits }) => hits === 'all').map((other) => other.fromMs));
    const durationOf = (stop: Stop): number => Math.min(stop.toMs, nextOfAllMs) - Math.max(stop.fromMs, fromMs);
    const within = stops.filter((stop) => stop.fromMs < nextMs).toSorted((a, b) => durationOf(b) - durationOf(a));
    const [longest] = within;
    const first = pending.reduce((least, each) => (each.fromMs >= fromMs ? Math.min(least, each.toMs) : least), endMs);
    return {
      fault,
      timeToFirstSuccessMs: Math.max(0, first - fromMs),
      longestStopMs: longest === undefined ? 0 : Math.max(0, durationOf(longest)),
      stopped: longest?.kind ?? 'nothing',
    };
  });
  return { longestStopMs, recoveries };
}
