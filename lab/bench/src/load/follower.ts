import type { Pool } from 'undici';

const EVENTS_PER_PAGE = 1_000;

interface LoggedEvent {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Follows a channel's event log as the API describes: asks from the last createdAt (gte) and skips the event that
 * repeats.
 */
export class Follower {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  readonly #watch: (createdAt: string) => void;
  #last: LoggedEvent | undefined;
  #seen = 0;

  /** @param watch receives the time at which each event was appended, when it is read */
  constructor(pool: Pool, headers: Record<string, string>, watch: (createdAt: string) => void = () => undefined) {
    this.#pool = pool;
    this.#headers = headers;
    this.#watch = watch;
  }

  /** Number of events read. */
  get seen(): number {
    return this.#seen;
  }

  /** Reads to the end of the log. */
  async catchUp(): Promise<void> {
    while (await this.poll());
  }

  /** Reads one page. Returns whether there may be more. */
  async poll(): Promise<boolean> {
    const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(EVENTS_PER_PAGE) });
    if (this.#last) query.set('$filter', JSON.stringify({ createdAt: { gte: this.#last.createdAt } }));
    const answer = await this.#pool.request({
      method: 'GET',
      path: `/saleschannel-services/v1/events?${query.toString()}`,
      headers: this.#headers,
    });
    const events = (await answer.body.json()) as LoggedEvent[];
    const isRepeated = this.#last !== undefined && events[0]?.id === this.#last.id;
    for (const { createdAt } of isRepeated ? events.slice(1) : events) this.#watch(createdAt);
    this.#seen += isRepeated ? events.length - 1 : events.length;
    this.#last = events.at(-1) ?? this.#last;
    return events.length === EVENTS_PER_PAGE;
  }
}
