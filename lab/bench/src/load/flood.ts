import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Pool } from 'undici';
import { openWatch } from '../measure/watch.ts';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

export interface Flood {
  /** Resolves when so many of its trades wait as it may have, or after some seconds of a ledger that keeps up. */
  readonly risen: Promise<void>;
  /** Ends it, and waits until all that was accepted is done. Answers how many trades were accepted. */
  stop(): Promise<number>;
  /** How long its own trades take by now, in seconds: those that wait ÷ those that are done in a second. */
  waitSeconds(): number;
}

const CONNECTIONS = 128;
const PAUSE_MS = 2;
const FOLLOW_PAUSE_MS = 20;
const RISES_MS = 5_000;
const MS = 1_000;

/**
 * One sales channel that sends as fast as it is let, with at most `unfinished` trades waiting for the ledger. What is
 * turned away, by the rate limit or for want of room, it sends again at once.
 */
export function startFlood(stack: Stack, market: Market, unfinished: number): Flood {
  const pool = new Pool(stack.baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const seller = new Seller(pool, market);
  const risen = Promise.withResolvers<void>();
  let [accepted, done, startedAt] = [0, 0, 0];
  let isEnding = false;
  const waiting = (): number => accepted - done;
  const send = async (): Promise<void> => {
    while (!isEnding) {
      const isFull = waiting() >= unfinished;
      if (isFull || performance.now() - startedAt > RISES_MS) risen.resolve();
      if (isFull) await delay(PAUSE_MS);
      else if (await isAccepted(seller)) accepted++;
    }
  };
  const running = (async () => {
    const watch = await openWatch(stack, market.salesChannelId);
    // By the log's own count: requests for it would take from what its user may send.
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
  // Whoever waits for the flood hears of its fault.
  running.catch((error: unknown) => risen.reject(error));
  return {
    risen: risen.promise,
    async stop() {
      isEnding = true;
      await running;
      await pool.close();
      return accepted;
    },
    waitSeconds: () => (done === 0 ? Infinity : (waiting() * (performance.now() - startedAt)) / MS / done),
  };
}

/** @throws Error when it was neither accepted nor turned away */
async function isAccepted(seller: Seller): Promise<boolean> {
  const { status, text } = await seller.offer();
  if (![201, 429, 503].includes(status)) throw new Error(`a trade of the flood was answered ${status}: ${text}`);
  return status === 201;
}
