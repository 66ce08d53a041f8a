import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Market } from '../load/markets.ts';
import { toHttpRequest, type Caller } from './caller.ts';

export interface LoggedEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly payload: { readonly transactionId?: string; readonly status?: string };
}

const EVENTS = '/saleschannel-services/v1/events';
const PER_PAGE = 1_000;
const POLL_MS = 500;
const STREAM_AGAIN_MS = 200;

/** Polls the log of a sales channel as the API describes. */
export class Poller {
  readonly seen = new Map<string, LoggedEvent>();
  readonly #caller: Caller;
  readonly #market: Market;
  #last: LoggedEvent | undefined;

  constructor(caller: Caller, market: Market) {
    this.#caller = caller;
    this.#market = market;
  }

  async poll(): Promise<boolean> {
    const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(PER_PAGE) });
    if (this.#last) query.set('$filter', JSON.stringify({ createdAt: { gte: this.#last.createdAt } }));
    const path = `${EVENTS}?${query.toString()}`;
    const answer = await this.#caller.send<LoggedEvent[]>('events', { path, credentials: this.#market.credentials });
    if (!answer) return true;
    for (const event of answer.body) this.seen.set(event.id, event);
    this.#last = answer.body.at(-1) ?? this.#last;
    return answer.body.length === PER_PAGE;
  }

  async follow(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await this.poll();
      await delay(POLL_MS);
    }
  }

  /** Reads to the end of the log. */
  async catchUp(): Promise<void> {
    while (await this.poll());
  }
}

/** A webhook endpoint that follows the log of a market. */
export interface Endpoint {
  readonly path: string;
  readonly ordered: boolean;
  readonly createdAt: string;
  readonly poller: Pick<Poller, 'seen'>;
}

/** Events that an endpoint must get, in order: all that were recorded after its creation. */
export const listExpected = ({ createdAt, poller }: Endpoint): string[] =>
  [...poller.seen.values()].filter((event) => event.createdAt > createdAt).map(({ id }) => id);

/** Follows the log as server-sent events. After the end of a stream, it resumes at the last event. */
export class Streamer {
  readonly seen = new Set<string>();
  /** Number of streams opened. */
  streams = 0;
  readonly #caller: Caller;
  readonly #market: Market;
  readonly #onRefused: (reason: string) => void;
  #last = '0';

  constructor(caller: Caller, market: Market, onRefused: (reason: string) => void) {
    this.#caller = caller;
    this.#market = market;
    this.#onRefused = onRefused;
  }

  async follow(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      this.streams += 1;
      // A broken connection is an ordinary end of a stream: only missed events matter.
      await this.#one(ended).catch(() => undefined);
      await delay(STREAM_AGAIN_MS);
    }
  }

  async #one(signal: AbortSignal): Promise<void> {
    const headers = { accept: 'text/event-stream', 'last-event-id': this.#last };
    const request = toHttpRequest({ path: `${EVENTS}/stream`, credentials: this.#market.credentials, headers });
    const { statusCode, body } = await this.#caller.pool.request({ ...request, signal });
    if (statusCode !== 200) {
      this.#onRefused(`${statusCode} ${await body.text()}`);
      return;
    }
    const parser = createParser({
      onEvent: ({ id }) => {
        if (id === undefined) return;
        this.#last = id;
        this.seen.add(id);
      },
    });
    for await (const piece of body.setEncoding('utf8')) parser.feed(piece as string);
  }
}
