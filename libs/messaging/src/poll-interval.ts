/**
 * Writers pass committed rows to the relay or wake it. The poll finds rows of a process that crashed in between, of a
 * commit whose answer was lost, and of a lost NOTIFY. Under traffic, such a row is late by this much.
 */
const POLL_MS = 1_000;
/**
 * The poll interval of an idle outbox doubles up to this part of `silentAtMostMs`. The session must send a statement
 * well before that. Two lost wakes in a row, of tasks and of the ledger, still let a trade end within the 20 seconds
 * that a fault of one replica may cost.
 */
const MAX_POLL_SHARE = 0.4;

/** Interval between reads of the outbox, which grows while it is idle. */
export class PollInterval {
  readonly #minMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  /** @param fixedMs replaces the usual interval in tests */
  constructor(silentAtMostMs: number, fixedMs: number | undefined) {
    this.#maxMs = fixedMs ?? silentAtMostMs * MAX_POLL_SHARE;
    this.#minMs = this.#nextMs = fixedMs ?? Math.min(POLL_MS, this.#maxMs);
  }

  /** Starts again with the shortest interval. */
  reset(): void {
    this.#nextMs = this.#minMs;
  }

  /** Returns the interval after a read. @param isQuiet whether the read found nothing */
  next(isQuiet: boolean): number {
    const pollMs = isQuiet ? this.#nextMs : this.#minMs;
    this.#nextMs = isQuiet ? Math.min(pollMs * 2, this.#maxMs) : this.#minMs;
    return pollMs;
  }
}
