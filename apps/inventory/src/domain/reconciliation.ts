/** Consecutive sequences of a channel, both ends included. */
export interface ChannelRange {
  readonly salesChannelId: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** What is missing, with the age from which it is not on its way any more. */
export interface OverdueRange extends ChannelRange {
  readonly olderThanSeconds: number;
}

/** How far a consumer has come in a channel. */
export interface Progress {
  /** Every sequence up to this one was applied. */
  readonly upto: bigint;
  readonly highest: bigint;
  /** What was not applied between the two, lowest first. Of very many gaps, the first ones. */
  readonly gaps: readonly { readonly first: bigint; readonly last: bigint }[];
}

/** A channel in which a consumer differs from the ledger. */
export interface Difference {
  readonly salesChannelId: string;
  /** The last sequence of the ledger, 0 for a channel that it does not know. */
  readonly last: bigint;
  readonly upto: bigint;
  readonly highest: bigint;
  /** What the consumer lacks, lowest first. Empty where it is only beyond the ledger. */
  readonly missing: readonly ChannelRange[];
}

const NOTHING: Progress = { upto: 0n, highest: 0n, gaps: [] };

/** Compares what a consumer has applied with what the ledger has given out. Answers the channels that differ, by id. */
export function differencesOf(
  ledger: ReadonlyMap<string, bigint>,
  applied: ReadonlyMap<string, Progress>,
): Difference[] {
  const ids = [...new Set([...ledger.keys(), ...applied.keys()])].toSorted();
  return ids.flatMap((salesChannelId) => {
    const last = ledger.get(salesChannelId) ?? 0n;
    const { upto, highest, gaps } = applied.get(salesChannelId) ?? NOTHING;
    const ranges = highest < last ? [...gaps, { first: highest + 1n, last }] : gaps;
    const missing = ranges
      .filter(({ first }) => first <= last)
      .map((range) => ({ salesChannelId, first: range.first, last: range.last < last ? range.last : last }));
    return missing.length === 0 && highest <= last ? [] : [{ salesChannelId, last, upto, highest, missing }];
  });
}

/** Longer than messages change places on their way, also when a replica gives them back. */
const GAP_GRACE_SECONDS = 10;

/** A change that a later one has overtaken is waited for less than one that may wait in a queue with all behind it. */
export const graceOf = ({ last }: ChannelRange, highest: bigint, graceSeconds: number): number =>
  last < highest ? Math.min(graceSeconds, GAP_GRACE_SECONDS) : graceSeconds;

/** How many sequences the ranges hold. */
export const sizeOf = (ranges: readonly ChannelRange[]): bigint =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);

/** How far a consumer is beyond the ledger: more than 0 only when the ledger was restored to an earlier time. */
export const beyondLedger = ({ highest, last }: Difference): bigint => (highest > last ? highest - last : 0n);

interface Attempt {
  /** The last sequence that was published again. */
  readonly upto: bigint;
  readonly atMs: number;
  readonly waitMs: number;
}

const WAIT_AT_MOST_MS = 3_600_000;

/**
 * What was published again, and when. It may still be on its way, or the consumer may never take it. So the same is
 * published a third time after twice the wait, and so on: a long queue is not made longer and longer.
 */
export class Attempts {
  readonly #leastWaitMs: number;
  readonly #byChannel = new Map<string, Attempt>();

  constructor(leastWaitMs: number) {
    this.#leastWaitMs = leastWaitMs;
  }

  /** Forgets channels in which nothing is missing any more. */
  keepOnly(differences: readonly Difference[]): void {
    const ids = new Set(differences.map(({ salesChannelId }) => salesChannelId));
    for (const id of this.#byChannel.keys()) if (!ids.has(id)) this.#byChannel.delete(id);
  }

  /** The part of what is missing that is to be published now. With `isUrgent`, no wait is longer than the first one. */
  due({ missing, salesChannelId }: Difference, nowMs: number, isUrgent: boolean): ChannelRange[] {
    const attempt = this.#byChannel.get(salesChannelId);
    if (!attempt) return [...missing];
    const waitMs = isUrgent ? this.#leastWaitMs : attempt.waitMs;
    if (nowMs >= attempt.atMs + waitMs) return [...missing];
    const next = attempt.upto + 1n;
    return missing
      .filter(({ last }) => last >= next)
      .map((range) => ({ ...range, first: range.first > next ? range.first : next }));
  }

  /** The changes of a channel up to this one were published again. */
  made(salesChannelId: string, upto: bigint, nowMs: number): void {
    const before = this.#byChannel.get(salesChannelId);
    const isRepeated = before !== undefined && upto <= before.upto;
    const waitMs = isRepeated ? Math.min(before.waitMs * 2, WAIT_AT_MOST_MS) : this.#leastWaitMs;
    this.#byChannel.set(salesChannelId, { upto, atMs: nowMs, waitMs });
  }
}
