import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Pool } from 'undici';
import { createFourMarkets, type Market } from './markets.ts';
import { Seller } from './seller.ts';

interface LoadResult {
  readonly trades: number;
  /** Time from the first request until the last event was readable. */
  readonly seconds: number;
}

export interface Driver {
  /** Sends this number of trades with at most `unfinished` in flight. Returns when each event was read. */
  run(trades: number, unfinished: number): Promise<LoadResult>;
  close(): Promise<void>;
}

/** Drives four new markets. */
export const openDriver = async (stack: Stack): Promise<Driver> =>
  createDriver(stack.baseUrl, await createFourMarkets(stack));

/** Counts the committed events of all channels. */
export type CountEvents = () => Promise<number>;

const CONNECTIONS = 128;
const FOLLOW_PAUSE_MS = 50;
const FULL_PAUSE_MS = 2;
const END_PAUSE_MS = 5;

/**
 * Drives all markets at once, each as one user with one API key.
 * @param countEvents used instead of following each log, because a thousand followers would cause more load than the
 * trades
 */
export function createDriver(baseUrl: string, markets: readonly Market[], countEvents?: CountEvents): Driver {
  const followers = countEvents ? 0 : markets.length;
  const pool = new Pool(baseUrl, { connections: CONNECTIONS + followers, pipelining: 1 });
  const sellers = markets.map((market) => new Seller(pool, market));
  const eventsRead = (): number => sellers.reduce((sum, { follower }) => sum + follower.seen, 0);
  let counted = 0;
  const eventsSeen = (): number => (countEvents ? counted : eventsRead());

  return {
    async run(trades, unfinished) {
      // Exclude events of earlier work.
      if (countEvents) counted = await countEvents();
      else await Promise.all(sellers.map(({ follower }) => follower.catchUp()));
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
      const count = async (ask: CountEvents): Promise<void> => {
        for (; isFollowing; await delay(FOLLOW_PAUSE_MS)) counted = await ask();
      };
      const send = async (): Promise<void> => {
        while (sent < trades) {
          if (sent - refused - finished() >= unfinished) {
            await delay(FULL_PAUSE_MS);
            continue;
          }
          const seller = sellers[sent++ % sellers.length];
          if (await seller?.sell()) accepted++;
          else refused++;
        }
      };
      const following = countEvents ? [count(countEvents)] : sellers.map(follow);
      await Promise.all(Array.from({ length: CONNECTIONS }, send));
      while (finished() < accepted) await delay(END_PAUSE_MS);
      const seconds = (performance.now() - started) / 1000;
      isFollowing = false;
      await Promise.all(following);
      const refusal = sellers.find((seller) => seller.refusal !== undefined)?.refusal;
      if (refused > 0) throw new Error(`${refused} trades were rejected: ${refusal}`);
      return { trades: accepted, seconds };
    },
    close: () => pool.close(),
  };
}
