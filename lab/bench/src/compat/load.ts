import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createIssuanceLine, type Market } from '../load/markets.ts';
import type { Caller } from './caller.ts';
import { listExpected, Poller, Streamer, type Endpoint, type Receiver } from './followers.ts';
import type { Outcomes } from './outcomes.ts';
import type { Read } from './reads.ts';
import { Transfers } from './transfers.ts';

const OWN_KEYS = '/authentication/users/me/api-keys';

/** Creates a key, uses it and deletes it. The key must work at once, at every gateway and replica of identity. */
async function exerciseKey(caller: Caller, { credentials }: Market): Promise<void> {
  const created = await caller.send<{ id: string; passphrase: string }>('make a key', {
    method: 'POST',
    path: OWN_KEYS,
    credentials,
  });
  if (!created) return;
  const { id, passphrase } = created.body;
  await caller.send('use a key', { path: OWN_KEYS, credentials: { username: id, password: passphrase } });
  await caller.send('end a key', { method: 'DELETE', path: `/authentication/api-keys/${id}`, credentials });
}

/** Requests per second. */
export interface Rates {
  readonly reads: number;
  readonly trades: number;
  readonly retirements: number;
}

const V1 = '/saleschannel-services/v1';
const KEYS_EVERY_MS = 2_500;
const TRADERS_EVERY_MS = 1_500;
const IMPORTS_EVERY_MS = 6_000;
const LINES_PER_IMPORT = 40;
const IMPORT_MS = 60_000;
const DELIVERED_MS = 120_000;
const LOOK_MS = 250;

interface LoadOptions {
  readonly caller: Caller;
  readonly outcomes: Outcomes;
  readonly markets: readonly Market[];
  readonly reads: readonly Read[];
  readonly receiver: Receiver;
  readonly rates: Rates;
}

/** Clients of all kinds. They work independently and record every answer. */
export class Load {
  readonly transfers: Transfers;
  readonly pollers: readonly Poller[];
  readonly streamers: readonly Streamer[];
  imports = 0;
  readonly endpoints: Endpoint[] = [];
  readonly #options: LoadOptions;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #followers: Promise<unknown>[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: LoadOptions) {
    const { caller, outcomes, markets } = options;
    this.#options = options;
    this.transfers = new Transfers(caller, outcomes);
    this.pollers = markets.map((market) => new Poller(caller, market));
    this.streamers = markets.map(
      (market) =>
        new Streamer(caller, market, (reason) => outcomes.recordFailure('stream', reason, `${V1}/events/stream`)),
    );
  }

  start(): void {
    const { caller, reads, rates } = this.#options;
    let read = 0;
    this.#every(1_000 / rates.reads, () => {
      const { operationId, ...request } = reads[read++ % reads.length] as Read;
      return caller.send(`read ${operationId}`, request);
    });
    this.#every(1_000 / rates.trades, (market) => this.transfers.start(market, 'trade'));
    this.#every(1_000 / rates.retirements, (market) => this.transfers.start(market, 'retire'));
    this.#every(KEYS_EVERY_MS, (market) => exerciseKey(caller, market));
    this.#every(TRADERS_EVERY_MS, (market) => this.#makeTrader(market));
    this.#every(IMPORTS_EVERY_MS, (market) => this.#import(market));
    for (const follower of [...this.pollers, ...this.streamers])
      this.#followers.push(follower.follow(this.#ended.signal));
  }

  /** Creates two webhook endpoints per market, one ordered and one not. */
  async followByWebhooks(): Promise<void> {
    const { caller, markets, receiver } = this.#options;
    for (const [index, market] of markets.entries()) {
      for (const ordered of [true, false]) {
        const path = `/${index}/${ordered ? 'ordered' : 'unordered'}`;
        const answer = await caller.send<{ secret: string; createdAt: string }>('webhook endpoint', {
          method: 'POST',
          path: `${V1}/webhook-endpoints`,
          credentials: market.credentials,
          body: { url: `${receiver.url}${path}`, ordered },
        });
        if (!answer)
          throw new Error(`No webhook endpoint was created: ${JSON.stringify(this.#options.outcomes.failures.at(-1))}`);
        receiver.expect(path, answer.body.secret);
        const poller = this.pollers[index] as Poller;
        this.endpoints.push({ path, ordered, createdAt: answer.body.createdAt, poller });
      }
    }
  }

  /** Starts no further requests. */
  abort(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#ended.abort();
  }

  /** Starts no further requests, and returns when all pending work has ended. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#underWay);
    await this.transfers.settle();
    await Promise.all(this.pollers.map((poller) => poller.catchUp()));
    await this.#delivered();
    this.#ended.abort();
    await Promise.all(this.#followers);
  }

  #every(milliseconds: number, work: (market: Market) => Promise<unknown>): void {
    const { markets } = this.#options;
    let turn = 0;
    const next = (): void => this.#perform(work(markets[turn++ % markets.length] as Market));
    this.#timers.push(setInterval(next, milliseconds));
  }

  #perform(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  #makeTrader({ credentials }: Market): Promise<unknown> {
    const businessId = randomUUID();
    return this.#options.caller.send('make a trader', {
      method: 'POST',
      path: `${V1}/traders`,
      credentials,
      headers: { 'idempotency-key': businessId },
      body: { name: 'A trader created under load', businessId, address: {} },
    });
  }

  async #import({ registry }: Market): Promise<void> {
    const { caller, outcomes } = this.#options;
    const { credentials } = registry;
    const lines = Array.from({ length: LINES_PER_IMPORT }, () => `${createIssuanceLine(randomUUID(), 1n, registry)}\n`);
    const path = '/Registry/api/imports';
    const started = await caller.send<{ importId: string }>('import', {
      method: 'POST',
      path,
      credentials,
      body: lines.join(''),
    });
    if (!started) return;
    const until = performance.now() + IMPORT_MS;
    for (;;) {
      const progress = await caller.send<{ status: string; linesApplied: number }>('import progress', {
        path: `${path}/${started.body.importId}`,
        credentials,
      });
      const { status = 'PENDING', linesApplied = 0 } = progress?.body ?? {};
      if (status === 'COMPLETED' && linesApplied === LINES_PER_IMPORT) {
        this.imports += 1;
        return;
      }
      if (status === 'COMPLETED' || status === 'FAILED' || performance.now() > until) {
        outcomes.faults.push(`import ${started.body.importId} is ${status} with ${linesApplied} lines applied`);
        return;
      }
      await delay(LOOK_MS);
    }
  }

  async #delivered(): Promise<void> {
    const until = performance.now() + DELIVERED_MS;
    const isMissing = (endpoint: Endpoint): boolean => {
      const arrived = new Set(this.#options.receiver.arrived(endpoint.path));
      return listExpected(endpoint).some((id) => !arrived.has(id));
    };
    const isBehind = (): boolean =>
      this.endpoints.some(isMissing) ||
      this.streamers.some(({ seen }, index) => seen.size < (this.pollers[index]?.seen.size ?? 0));
    while (isBehind() && performance.now() < until) await delay(LOOK_MS);
  }
}
