import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

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

const CONNECTIONS = 128;
const FOLLOW_PAUSE_MS = 50;
const FULL_PAUSE_MS = 2;
const END_PAUSE_MS = 5;

/** Drives all markets at once, each as one user with one API key. */
export function createDriver(baseUrl: string, markets: readonly Market[]): Driver {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS + markets.length, pipelining: 1 });
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
      const send = async (): Promise<void> => {
        while (sent < trades) {
          if (accepted - finished() >= unfinished) {
            await delay(FULL_PAUSE_MS);
            continue;
          }
          const seller = sellers[sent++ % sellers.length];
          if (await seller?.sell()) accepted++;
          else refused++;
        }
      };
      const following = sellers.map(follow);
      await Promise.all(Array.from({ length: CONNECTIONS }, send));
      while (finished() < accepted) await delay(END_PAUSE_MS);
      const seconds = (performance.now() - started) / 1000;
      isFollowing = false;
      await Promise.all(following);
      return { trades: accepted, seconds, refused };
    },
    close: () => pool.close(),
  };
}
