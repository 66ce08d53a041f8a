import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ChannelAccess } from '../contract.ts';
import { ATTEMPT_MS, basicAuthorization, type Client } from './client.ts';
import type { FollowerKind, RunJournal } from './journal.ts';

export interface LogEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly payload: { readonly transactionId: string; readonly status: string };
}

export const EVENTS = '/saleschannel-services/v1/events';
const PER_PAGE = 500;
const POLL_MS = 1_000;
const AGAIN_MS = 500;
/** A stream sends a comment at least every 15 seconds. */
const SILENCE_MS = 20_000;

/** Path of the page after an event. As the API describes, it begins with that event again. */
export function pageAfter(last: LogEvent | undefined, limit: number): string {
  const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(limit) });
  if (last) query.set('$filter', JSON.stringify({ createdAt: { gte: last.createdAt } }));
  return `${EVENTS}?${query.toString()}`;
}

/** Follows the log of a sales channel by polling or by a stream, and records each event. */
abstract class Follower {
  readonly seen = new Set<string>();
  protected readonly client: Client;
  protected readonly channel: ChannelAccess;
  protected turn = 0;
  readonly #kind: FollowerKind;
  readonly #journal: RunJournal;

  constructor(kind: FollowerKind, client: Client, channel: ChannelAccess, journal: RunJournal) {
    this.#kind = kind;
    this.client = client;
    this.channel = channel;
    this.#journal = journal;
  }

  protected abstract follow(ended: AbortSignal): Promise<void>;

  /** Reconnects to the next gateway after every error and end. */
  async run(ended: AbortSignal): Promise<void> {
    for (; !ended.aborted; this.turn++) {
      // The recorded events show whether any was missed, so broken connections do not matter.
      await this.follow(ended).catch(() => undefined);
      await delay(AGAIN_MS);
    }
  }

  protected see({ id, payload }: LogEvent): void {
    this.seen.add(id);
    const { transactionId, status } = payload;
    const channel = this.channel.id;
    this.#journal.add({ type: 'seen', follower: this.#kind, channel, event: id, transactionId, status });
  }

  protected get headers() {
    return { authorization: basicAuthorization(this.channel.credentials) };
  }
}

export class Poller extends Follower {
  #last: LogEvent | undefined;

  constructor(client: Client, channel: ChannelAccess, journal: RunJournal) {
    super('poll', client, channel, journal);
  }

  protected async follow(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const path = pageAfter(this.#last, PER_PAGE);
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      const { statusCode, body } = await this.client
        .pool(this.turn)
        .request({ method: 'GET', path, headers: this.headers, signal });
      const text = await body.text();
      if (statusCode !== 200) return;
      const page = JSON.parse(text) as LogEvent[];
      for (const [index, event] of page.entries()) {
        const isRepeated = index === 0 && event.id === this.#last?.id;
        if (!isRepeated) this.see(event);
        this.#last = event;
      }
      if (page.length < PER_PAGE) await delay(POLL_MS);
    }
  }
}

export class Streamer extends Follower {
  #last = '0';

  constructor(client: Client, channel: ChannelAccess, journal: RunJournal) {
    super('stream', client, channel, journal);
  }

  protected async follow(ended: AbortSignal): Promise<void> {
    const { statusCode, body } = await this.client.pool(this.turn).request({
      method: 'GET',
      path: `${EVENTS}/stream`,
      headers: { ...this.headers, accept: 'text/event-stream', 'last-event-id': this.#last },
      headersTimeout: ATTEMPT_MS,
      bodyTimeout: SILENCE_MS,
      signal: ended,
    });
    if (statusCode !== 200) return void (await body.dump());
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (id !== undefined) this.#last = id;
        if (data !== '') this.see(JSON.parse(data) as LogEvent);
      },
    });
    for await (const piece of body.setEncoding('utf8')) parser.feed(piece as string);
  }
}
