import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { Follower } from './follower.ts';
import type { Market } from './markets.ts';

export interface LoadResult {
  readonly trades: number;
  /** From the first request until the last event could be read. */
  readonly seconds: number;
  readonly refused: number;
}

export interface Driver {
  /** Sends so many trades with at most `unfinished` under way at once. Returns when the event of each was read. */
  run(trades: number, unfinished: number): Promise<LoadResult>;
  close(): Promise<void>;
}

const CONNECTIONS_PER_MARKET = 32;
const FOLLOW_PAUSE_MS = 50;
const FULL_PAUSE_MS = 2;
const END_PAUSE_MS = 5;

/** Drives all markets at once, each as one user with one API key. */
export function createDriver(baseUrl: string, markets: readonly Market[]): Driver {
  const pool = new Pool(baseUrl, { connections: markets.length * CONNECTIONS_PER_MARKET, pipelining: 1 });
  const sellers = markets.map((market) => new Seller(pool, market));
  const eventsSeen = (): number => sellers.reduce((sum, { follower }) => sum + follower.seen, 0);

  return {
    async run(trades, unfinished) {
      const started = performance.now();
      const before = eventsSeen();
      const finished = (): number => eventsSeen() - before;
      let sent = 0;
      let accepted = 0;
      let refused = 0;
      let isFollowing = true;
      const follow = async ({ follower }: Seller): Promise<void> => {
        while (isFollowing) if (!(await follower.poll())) await delay(FOLLOW_PAUSE_MS);
      };
      const send = async (seller: Seller): Promise<void> => {
        while (sent < trades) {
          if (accepted - finished() >= unfinished) {
            await delay(FULL_PAUSE_MS);
            continue;
          }
          sent++;
          if (await seller.sell()) accepted++;
          else refused++;
        }
      };
      const following = sellers.map(follow);
      await Promise.all(
        sellers.flatMap((seller) => Array.from({ length: CONNECTIONS_PER_MARKET }, () => send(seller))),
      );
      while (finished() < accepted) await delay(END_PAUSE_MS);
      const seconds = (performance.now() - started) / 1000;
      isFollowing = false;
      await Promise.all(following);
      return { trades: accepted, seconds, refused };
    },
    close: () => pool.close(),
  };
}

/** The user of one market: sells one certificate per trade, from the issuances in turn. */
class Seller {
  readonly follower: Follower;
  readonly #pool: Pool;
  readonly #market: Market;
  readonly #headers: Record<string, string>;
  #turn = 0;

  constructor(pool: Pool, market: Market) {
    const { username, password } = market.credentials;
    this.#headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    this.#pool = pool;
    this.#market = market;
    this.follower = new Follower(pool, this.#headers);
  }

  /** True when the trade was accepted, false when it was refused. @throws Error for any other answer */
  async sell(): Promise<boolean> {
    const { sellerId, buyerId, issuances } = this.#market;
    const issuance = issuances[this.#turn++ % issuances.length];
    if (!issuance) throw new Error('a market has nothing to sell');
    const certificate = `${issuance.issuanceId}_${issuance.nextSerial++}`;
    const assets = [{ start: certificate, end: certificate, unitPrice: 149.5 }];
    const answer = await this.#pool.request({
      method: 'POST',
      path: `/saleschannel-services/v1/traders/${sellerId}/inventory/trade`,
      headers: { ...this.#headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ buyerId, currency: 'EUR', assets }),
    });
    if (answer.statusCode === 201) {
      await answer.body.dump();
      return true;
    }
    const text = await answer.body.text();
    if (answer.statusCode !== 400) throw new Error(`a trade was answered ${answer.statusCode}: ${text}`);
    issuance.nextSerial--;
    return false;
  }
}
