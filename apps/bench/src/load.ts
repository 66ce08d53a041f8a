import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Market } from './world.ts';

export interface LoadResult {
  trades: number;
  /** From the first request until the last event could be read. */
  seconds: number;
  refused: number;
}

const CONNECTIONS_PER_MARKET = 32;
const EVENTS_PER_PAGE = 1_000;
const FOLLOW_PAUSE_MS = 50;

interface LogEvent {
  id: string;
  createdAt: string;
}

/** Follows a channel's event log by the procedure of the API: key = last createdAt, gte, skip what was seen. */
class Follower {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  #key: string | undefined;
  #lastId = '';
  seen = 0;

  constructor(pool: Pool, headers: Record<string, string>) {
    this.#pool = pool;
    this.#headers = headers;
  }

  /** Reads one page; true when there may be more. */
  async poll(): Promise<boolean> {
    const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(EVENTS_PER_PAGE) });
    if (this.#key) query.set('$filter', JSON.stringify({ createdAt: { gte: this.#key } }));
    const answer = await this.#pool.request({
      method: 'GET',
      path: `/saleschannel-services/v1/events?${query.toString()}`,
      headers: this.#headers,
    });
    const events = (await answer.body.json()) as LogEvent[];
    const fresh = events[0]?.id === this.#lastId ? events.slice(1) : events;
    this.seen += fresh.length;
    const last = events.at(-1);
    if (last) {
      this.#key = last.createdAt;
      this.#lastId = last.id;
    }
    return events.length === EVENTS_PER_PAGE;
  }
}

export interface Driver {
  /** Sends this many trades with at most `unfinished` under way at once, and returns when the event of each was read. */
  run(trades: number, unfinished: number): Promise<LoadResult>;
  close(): Promise<void>;
}

/** Drives all markets at once, each as one user with one API key. */
export function createDriver(baseUrl: string, markets: readonly Market[]): Driver {
  const pool = new Pool(baseUrl, { connections: markets.length * CONNECTIONS_PER_MARKET, pipelining: 1 });
  const lanes = markets.map((market) => {
    const { username, password } = market.authorization;
    const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    return { market, headers, follower: new Follower(pool, headers), turn: 0 };
  });

  async function sell(lane: (typeof lanes)[number]): Promise<boolean> {
    const { market } = lane;
    const vein = market.veins[lane.turn++ % market.veins.length] as Market['veins'][number];
    const serial = `${vein.issuanceId}_${vein.next++}`;
    const answer = await pool.request({
      method: 'POST',
      path: `/saleschannel-services/v1/traders/${market.sellerId}/inventory/trade`,
      headers: { ...lane.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({
        buyerId: market.buyerId,
        currency: 'EUR',
        assets: [{ start: serial, end: serial, unitPrice: 149.5 }],
      }),
    });
    if (answer.statusCode === 201) {
      await answer.body.dump();
      return true;
    }
    const text = await answer.body.text();
    if (answer.statusCode !== 400) throw new Error(`a trade was answered ${answer.statusCode}: ${text}`);
    vein.next--;
    return false;
  }

  return {
    async run(trades, unfinished) {
      const started = performance.now();
      const base = lanes.reduce((sum, lane) => sum + lane.follower.seen, 0);
      let sent = 0;
      let accepted = 0;
      let refused = 0;
      let following = true;
      const settled = (): number => lanes.reduce((sum, lane) => sum + lane.follower.seen, 0) - base;
      const follow = async (lane: (typeof lanes)[number]): Promise<void> => {
        while (following) if (!(await lane.follower.poll())) await delay(FOLLOW_PAUSE_MS);
      };
      const send = async (lane: (typeof lanes)[number]): Promise<void> => {
        while (sent < trades) {
          if (accepted - settled() >= unfinished) {
            await delay(2);
            continue;
          }
          sent++;
          if (await sell(lane)) accepted++;
          else refused++;
        }
      };
      const followers = lanes.map(follow);
      await Promise.all(lanes.flatMap((lane) => Array.from({ length: CONNECTIONS_PER_MARKET }, () => send(lane))));
      while (settled() < accepted) await delay(5);
      const seconds = (performance.now() - started) / 1000;
      following = false;
      await Promise.all(followers);
      return { trades: accepted, seconds, refused };
    },
    close: () => pool.close(),
  };
}
