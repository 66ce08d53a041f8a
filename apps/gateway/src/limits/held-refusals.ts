/** Those beyond are answered at once, so that what is held stays bounded. */
const HELD_AT_MOST = 10_000;

export interface HeldRefusalsOptions {
  /** Milliseconds. 0: nothing is held. */
  readonly delayMs: number;
  readonly atMost?: number;
}

/**
 * Holds back answers to requests above the rate limit. Whoever sends the next request as soon as one was refused would
 * else keep the gateway refusing, and everybody else waiting meanwhile. So they are refused a few times per second on
 * each of their connections, of which there are only so many. Whoever waits for `Retry-After`, a second at the least,
 * loses nothing.
 */
export class HeldRefusals {
  readonly #delayMs: number;
  readonly #atMost: number;
  #held = 0;

  constructor({ delayMs, atMost = HELD_AT_MOST }: HeldRefusalsOptions) {
    this.#delayMs = delayMs;
    this.#atMost = atMost;
  }

  /** Resolves when the answer may be sent, or when the client has gone. */
  async hold(gone: AbortSignal): Promise<void> {
    if (this.#delayMs === 0 || this.#held >= this.#atMost || gone.aborted) return;
    this.#held += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#delayMs);
      const leave = (): void => {
        clearTimeout(timer);
        resolve();
      };
      gone.addEventListener('abort', leave, { once: true });
    });
    this.#held -= 1;
  }
}
