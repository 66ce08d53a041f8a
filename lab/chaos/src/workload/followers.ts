import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '@saleschannel/sdk';
import { createParser } from 'eventsource-parser';
import type { ChannelAccess } from '../contract.ts';
import { ATTEMPT_MS, basicAuthorization, type Client } from './client.ts';
import type { FollowerKind, RunJournal } from './journal.ts';

/** Probability of each failure when a message first arrives. Later arrivals are accepted. */
const FAILS = 0.004;
const ASKS_TO_WAIT = 0.01;
const LOSES_THE_ANSWER = 0.01;
const IS_SLOW = 0.02;
const SLOW_MS = 2_000;
/** Faults move clocks by more than the five minutes that a receiver allows. */
const ANY_AGE_SECONDS = 10 * 365 * 86_400;

interface Endpoint {
  readonly channel: string;
  readonly secret: PromiseWithResolvers<string>;
}

/** A webhook receiver of the sales channels that sometimes fails, is slow or loses its answer. */
export class Receiver {
  /** Accepted messages by channel. */
  readonly accepted = new Map<string, Set<string>>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #arrived = new Set<string>();
  readonly #server = createServer((request, response) => {
    // The sender sometimes aborts and sends again.
    void this.#receive(request, response).catch(() => response.destroy());
  });
  readonly #journal: RunJournal;
  readonly #random: () => number;

  constructor(journal: RunJournal, random: () => number) {
    this.#journal = journal;
    this.#random = random;
  }

  async listen(host: string): Promise<void> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
  }

  /** Returns the URL of a new endpoint. Its messages wait until `secret` is resolved. */
  open(channel: string): { url: string; secret: PromiseWithResolvers<string> } {
    const path = `/${this.#endpoints.size}`;
    const secret = Promise.withResolvers<string>();
    this.#endpoints.set(path, { channel, secret });
    this.accepted.set(channel, new Set());
    const { address, port } = this.#server.address() as AddressInfo;
    return { url: `http://${address}:${port}${path}`, secret };
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const endpoint = this.#endpoints.get(String(request.url));
    if (!endpoint) return void response.writeHead(404).end();
    const { channel, secret } = endpoint;
    const secrets = await secret.promise;
    const message = await verifyWebhook({
      body,
      headers: request.headers,
      secrets,
      toleranceSeconds: ANY_AGE_SECONDS,
    }).catch(() => undefined);
    if (message?.type !== 'TRANSACTION_STATUS_CHANGE') {
      this.#journal.add({ type: 'unsigned', channel });
      return void response.writeHead(400).end();
    }
    const { id, data, previousEventId: previous } = message;
    const draw = this.#arrived.has(id) ? 1 : this.#random();
    this.#arrived.add(id);
    if (draw < FAILS) return void response.writeHead(500).end();
    if (draw < FAILS + ASKS_TO_WAIT) return void response.writeHead(503, { 'retry-after': '1' }).end();
    const rest = draw - FAILS - ASKS_TO_WAIT;
    if (rest >= LOSES_THE_ANSWER && rest < LOSES_THE_ANSWER + IS_SLOW) await delay(SLOW_MS);
    const { transactionId, status } = data.payload;
    this.accepted.get(channel)?.add(id);
    this.#journal.add({ type: 'seen', follower: 'webhook', channel, event: id, transactionId, status, previous });
    if (rest < LOSES_THE_ANSWER) return void response.destroy();
    response.writeHead(204).end();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

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
