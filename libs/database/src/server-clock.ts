/** A longer exchange says too little about the time at which the server looked at its clock. */
const ROUND_TRIP_AT_MOST_MS = 500;

/**
 * The clock of the database server, which all replicas share. Runs by the monotonic clock of this process between two
 * adjustments, so that a step of the machine's own clock changes nothing.
 */
export class ServerClock {
  #serverMs = Date.now();
  #atMs = performance.now();

  now(): Date {
    return new Date(this.#serverMs + performance.now() - this.#atMs);
  }

  /**
   * @param serverMs what the server's clock showed
   * @param sentMs when it was asked, on the `performance.now()` clock
   */
  adjust(serverMs: number, sentMs: number): void {
    const receivedMs = performance.now();
    if (receivedMs - sentMs > ROUND_TRIP_AT_MOST_MS) return;
    [this.#serverMs, this.#atMs] = [serverMs, (sentMs + receivedMs) / 2];
  }
}
