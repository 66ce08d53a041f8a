/** Further responses are sent at once, so that the number in memory is bounded. */
const DELAYED_AT_MOST = 10_000;

export interface ThrottledResponsesOptions {
  /** Milliseconds. 0 delays nothing. */
  readonly delayMs: number;
  readonly maxDelayed?: number;
}

/**
 * Delays responses to requests above the rate limit. Clients that retry at once would otherwise keep the gateway busy
 * with refusals at the expense of others; a delay allows them a few per second on each connection. Clients that respect
 * `Retry-After` lose nothing.
 */
export class ThrottledResponses {
  readonly #delayMs: number;
  readonly #maxDelayed: number;
  #delayed = 0;

  constructor({ delayMs, maxDelayed = DELAYED_AT_MOST }: ThrottledResponsesOptions) {
    this.#delayMs = delayMs;
    this.#maxDelayed = maxDelayed;
  }

  /** Resolves when the response may be sent, or when the client has disconnected. */
  async delay(disconnected: AbortSignal): Promise<void> {
    if (this.#delayMs === 0 || this.#delayed >= this.#maxDelayed || disconnected.aborted) return;
    this.#delayed += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#delayMs);
      const release = (): void => {
        clearTimeout(timer);
        resolve();
      };
      disconnected.addEventListener('abort', release, { once: true });
    });
    this.#delayed -= 1;
  }
}
