/**
 * Writers pass committed rows to the relay or wake it. The poll finds rows of a process that crashed in between, of a
 * commit whose answer was lost, and of a lost NOTIFY. Under traffic, such a row is late by this much.
 */
const POLL_MS = 1_000;
/**
 * The poll interval of an idle outbox doubles up to this share of the session's maximum silence, because the session
 * must send a statement well before that. Even if the wakes of both tasks and the ledger are lost, a trade then ends
 * within the 20 seconds by which the loss of one replica may delay it.
 */
const MAX_POLL_SHARE = 0.4;

/** Interval between reads of the outbox, which grows while it is idle. */
export class PollInterval {
  readonly #minMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  /** @param fixedMs replaces the usual interval in tests */
  constructor(maxSilenceMs: number, fixedMs: number | undefined) {
    this.#maxMs = fixedMs ?? maxSilenceMs * MAX_POLL_SHARE;
    this.#minMs = this.#nextMs = fixedMs ?? Math.min(POLL_MS, this.#maxMs);
  }

  /** Returns to the shortest interval. */
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
