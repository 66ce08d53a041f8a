import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Pool } from 'undici';
import { openEventCounter } from '../measure/event-counter.ts';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

export interface Flood {
  /** Resolves when its maximum of trades is waiting, or after some seconds if the ledger keeps up. */
  readonly isFull: Promise<void>;
  /** Stops it and waits until all accepted trades are done. Returns their number. */
  stop(): Promise<number>;
  /** Current seconds per trade: waiting trades divided by trades done per second. */
  waitSeconds(): number;
}

const CONNECTIONS = 128;
const PAUSE_MS = 2;
const FOLLOW_PAUSE_MS = 20;
const RISES_MS = 5_000;
const MS = 1_000;

/**
 * Sends trades of one sales channel as fast as possible, with at most `unfinished` waiting for the ledger. Throttled
 * trades are sent again at once.
 */
export function startFlood(stack: Stack, market: Market, unfinished: number): Flood {
  const pool = new Pool(stack.baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const seller = new Seller(pool, market);
  const full = Promise.withResolvers<void>();
  let [accepted, done, startedAt] = [0, 0, 0];
  let isEnding = false;
  const waiting = (): number => accepted - done;
  const send = async (): Promise<void> => {
    while (!isEnding) {
      const isFull = waiting() >= unfinished;
      if (isFull || performance.now() - startedAt > RISES_MS) full.resolve();
      if (isFull) await delay(PAUSE_MS);
      else if (await isAccepted(seller)) accepted++;
    }
  };
  const running = (async () => {
    const watch = await openEventCounter(stack, market.salesChannelId);
    // Count in the log's database, because requests would use the user's rate limit.
    const follow = async (): Promise<void> => {
      while (!isEnding || waiting() > 0) {
        done = await watch.countEvents();
        await delay(FOLLOW_PAUSE_MS);
      }
    };
    startedAt = performance.now();
    await Promise.all([follow(), ...Array.from({ length: CONNECTIONS }, send)]);
    await watch.close();
  })();
  // Reports an error to the caller that waits for `isFull`.
  running.catch((error: unknown) => full.reject(error));
  return {
    isFull: full.promise,
    async stop() {
      isEnding = true;
      await running;
      await pool.close();
      return accepted;
    },
    waitSeconds: () => (done === 0 ? Infinity : (waiting() * (performance.now() - startedAt)) / MS / done),
  };
}

/** @throws Error if it was neither accepted nor throttled */
async function isAccepted(seller: Seller): Promise<boolean> {
  const { status, text } = await seller.offer();
  if (![201, 429, 503].includes(status)) throw new Error(`A trade of the flood was answered ${status}: ${text}`);
  return status === 201;
}
