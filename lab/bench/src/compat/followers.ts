import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '@saleschannel/sdk';
import { createParser } from 'eventsource-parser';
import type { Market } from '../load/markets.ts';
import { EVENTS_PER_PAGE, toNextPage } from '../load/seller.ts';
import { toHttpRequest, type Caller } from './caller.ts';

/** Messages received per path, in the order of their first arrival. */
export interface Receiver {
  readonly url: string;
  arrived(path: string): readonly string[];
  /** Sets the secret with which messages to this path are signed. */
  expect(path: string, secret: string): void;
  /** Messages with an invalid signature. */
  readonly unsigned: number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrived = new Map<string, Set<string>>();
  // The first message may arrive before the answer with the secret.
  const secrets = new Map<string, PromiseWithResolvers<string>>();
  const getSecret = (path: string): PromiseWithResolvers<string> => {
    const secret = secrets.get(path) ?? Promise.withResolvers<string>();
    secrets.set(path, secret);
    return secret;
  };
  let unsigned = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { url: path = '' } = request;
      const ids = arrived.get(path) ?? new Set();
      arrived.set(path, ids.add(String(request.headers['webhook-id'])));
      const { headers } = request;
      const body = Buffer.concat(pieces);
      getSecret(path)
        .promise.then((secret) => verifyWebhook({ body, headers, secrets: secret }))
        .catch(() => (unsigned += 1))
        .finally(() => response.writeHead(204).end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: (path) => [...(arrived.get(path) ?? [])],
    expect: (path, secret) => getSecret(path).resolve(secret),
    get unsigned() {
      return unsigned;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface LoggedEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly payload: { readonly transactionId?: string; readonly status?: string };
}

const EVENTS = '/saleschannel-services/v1/events';
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
    const path = toNextPage(this.#last);
    const answer = await this.#caller.send<LoggedEvent[]>('events', { path, credentials: this.#market.credentials });
    if (!answer) return true;
    for (const event of answer.body) this.seen.set(event.id, event);
    this.#last = answer.body.at(-1) ?? this.#last;
    return answer.body.length === EVENTS_PER_PAGE;
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

/** Everything that clients received during a run. */
export interface Received {
  /** Pollers by market, in the same order as the streams. */
  readonly pollers: readonly Pick<Poller, 'seen'>[];
  readonly streamers: readonly { readonly seen: ReadonlySet<string> }[];
  readonly endpoints: readonly Endpoint[];
  /** Transactions of the tasks that succeeded. */
  readonly transactions: readonly string[];
  /** Messages to an endpoint, in the order of arrival. */
  arrived(path: string): readonly string[];
  readonly unsigned: number;
}

const SHOWN = 3;

const missing = (what: string, ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`${what}: ${ids.length} missing, such as ${ids.slice(0, SHOWN).join(', ')}`];

/** Compares accepted requests and received events with the current data. Empty if nothing is lost. */
export async function findLosses(caller: Caller, markets: readonly Market[], received: Received): Promise<string[]> {
  const losses: string[] = [];
  const ends = new Map<string, number>();
  for (const [index, market] of markets.entries()) {
    // Read the current log with a client that did not follow it.
    const log = new Poller(caller, market);
    await log.catchUp();
    for (const { payload } of log.seen.values()) {
      if (payload.status === 'SUCCESS' && payload.transactionId !== undefined)
        ends.set(payload.transactionId, (ends.get(payload.transactionId) ?? 0) + 1);
    }
    const unknownTo = (seen: Pick<ReadonlySet<string>, 'has'> | undefined): string[] =>
      [...log.seen.keys()].filter((id) => !seen?.has(id));
    losses.push(
      ...missing(`events polled in market ${index}`, unknownTo(received.pollers[index]?.seen)),
      ...missing(`events of the stream of market ${index}`, unknownTo(received.streamers[index]?.seen)),
    );
  }
  for (const id of received.transactions) {
    const count = ends.get(id) ?? 0;
    if (count !== 1) losses.push(`${id} has ${count} final events`);
  }
  for (const endpoint of received.endpoints)
    losses.push(...findMissingMessages(endpoint, received.arrived(endpoint.path)));
  if (received.unsigned > 0) losses.push(`${received.unsigned} messages had no valid signature`);
  return losses;
}

function findMissingMessages(endpoint: Endpoint, arrived: readonly string[]): string[] {
  const expected = listExpected(endpoint);
  const received = new Set(arrived);
  const lost = expected.filter((id) => !received.has(id));
  if (lost.length > 0 || !endpoint.ordered) return missing(`messages to ${endpoint.path}`, lost);
  const expectedIds = new Set(expected);
  const order = arrived.filter((id) => expectedIds.has(id));
  const at = order.findIndex((id, index) => id !== expected[index]);
  return at === -1 ? [] : [`messages to ${endpoint.path} arrived in another order from number ${at} on`];
}
