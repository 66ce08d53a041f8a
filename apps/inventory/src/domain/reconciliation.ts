/** An inclusive range of sequences of a channel. */
export interface ChannelRange {
  readonly salesChannelId: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** A missing range, with the age above which its changes no longer count as in transit. */
export interface OverdueRange extends ChannelRange {
  readonly olderThanSeconds: number;
}

/** Progress of a consumer in a channel. */
export interface Progress {
  /** The consumer has applied every sequence up to this one. */
  readonly upto: bigint;
  readonly highest: bigint;
  /** Ranges between the two that it has not applied, lowest first. A long list may be cut off. */
  readonly gaps: readonly { readonly first: bigint; readonly last: bigint }[];
}

/** A channel in which a consumer differs from the ledger. */
export interface Difference {
  readonly salesChannelId: string;
  /** Last sequence of the ledger. 0 for an unknown channel. */
  readonly last: bigint;
  readonly upto: bigint;
  readonly highest: bigint;
  /** Ranges that the consumer lacks, lowest first. Empty if it is only ahead of the ledger. */
  readonly missing: readonly ChannelRange[];
}

const NO_PROGRESS: Progress = { upto: 0n, highest: 0n, gaps: [] };

/**
 * Compares the sequences of the ledger with those that a consumer has applied. Returns the differing channels by id.
 */
export function findDifferences(
  ledger: ReadonlyMap<string, bigint>,
  applied: ReadonlyMap<string, Progress>,
): Difference[] {
  const ids = [...new Set([...ledger.keys(), ...applied.keys()])].toSorted();
  return ids.flatMap((salesChannelId) => {
    const last = ledger.get(salesChannelId) ?? 0n;
    const { upto, highest, gaps } = applied.get(salesChannelId) ?? NO_PROGRESS;
    const ranges = highest < last ? [...gaps, { first: highest + 1n, last }] : gaps;
    const missing = ranges
      .filter(({ first }) => first <= last)
      .map((range) => ({ salesChannelId, first: range.first, last: range.last < last ? range.last : last }));
    return missing.length === 0 && highest <= last ? [] : [{ salesChannelId, last, upto, highest, missing }];
  });
}

/** Longer than messages take to overtake each other, even when a replica returns some to the queue. */
const GAP_GRACE_SECONDS = 10;

/** Selects a shorter grace for a change that a later one has overtaken, because it is not waiting in a queue. */
export const selectGraceSeconds = ({ last }: ChannelRange, highest: bigint, graceSeconds: number): number =>
  last < highest ? Math.min(graceSeconds, GAP_GRACE_SECONDS) : graceSeconds;

/** Number of sequences in the ranges. */
export const countSequences = (ranges: readonly ChannelRange[]): bigint =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);

/** Number of sequences that a consumer is ahead. Above 0 only if the ledger was restored to an earlier time. */
export const countBeyondLedger = ({ highest, last }: Difference): bigint => (highest > last ? highest - last : 0n);

interface Attempt {
  /** Last republished sequence. */
  readonly upto: bigint;
  readonly atMs: number;
  readonly waitMs: number;
}

const MAX_WAIT_MS = 3_600_000;

/**
 * Schedule of republished changes. They may still be in transit, or the consumer may never accept them. So each repeat
 * waits twice as long, which keeps a long queue from growing.
 */
export class RepublishAttempts {
  readonly #minWaitMs: number;
  readonly #byChannel = new Map<string, Attempt>();

  constructor(minWaitMs: number) {
    this.#minWaitMs = minWaitMs;
  }

  /** Forgets channels without differences. */
  retain(differences: readonly Difference[]): void {
    const ids = new Set(differences.map(({ salesChannelId }) => salesChannelId));
    for (const id of this.#byChannel.keys()) if (!ids.has(id)) this.#byChannel.delete(id);
  }

  /** Returns the missing ranges to publish now. With `isUrgent`, no wait is longer than the first. */
  selectDue({ missing, salesChannelId }: Difference, nowMs: number, isUrgent: boolean): ChannelRange[] {
    const attempt = this.#byChannel.get(salesChannelId);
    if (!attempt) return [...missing];
    const waitMs = isUrgent ? this.#minWaitMs : attempt.waitMs;
    if (nowMs >= attempt.atMs + waitMs) return [...missing];
    const next = attempt.upto + 1n;
    return missing
      .filter(({ last }) => last >= next)
      .map((range) => ({ ...range, first: range.first > next ? range.first : next }));
  }

  /** Records that the changes of a channel up to this sequence were republished. */
  record(salesChannelId: string, upto: bigint, nowMs: number): void {
    const before = this.#byChannel.get(salesChannelId);
    const isRepeated = before !== undefined && upto <= before.upto;
    const waitMs = isRepeated ? Math.min(before.waitMs * 2, MAX_WAIT_MS) : this.#minWaitMs;
    this.#byChannel.set(salesChannelId, { upto, atMs: nowMs, waitMs });
  }
}
