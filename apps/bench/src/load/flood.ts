import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
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

/** One sales channel that sends as fast as it is let, with at most `unfinished` trades waiting for the ledger. */
export function startFlood(baseUrl: string, market: Market, unfinished: number): Flood {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS + 1, pipelining: 1 });
  const seller = new Seller(pool, market);
  const risen = Promise.withResolvers<void>();
  let [accepted, before, startedAt] = [0, 0, 0];
  let isEnding = false;
  const waiting = (): number => accepted - (seller.follower.seen - before);
  const send = async (): Promise<void> => {
    while (!isEnding) {
      const isFull = waiting() >= unfinished;
      if (isFull || performance.now() - startedAt > RISES_MS) risen.resolve();
      if (isFull) await delay(PAUSE_MS);
      else if (await seller.sell()) accepted++;
    }
  };
  const follow = async (): Promise<void> => {
    while (!isEnding || waiting() > 0) if (!(await seller.follower.poll())) await delay(FOLLOW_PAUSE_MS);
  };
  const running = (async () => {
    await seller.follower.catchUp();
    before = seller.follower.seen;
    startedAt = performance.now();
    await Promise.all([follow(), ...Array.from({ length: CONNECTIONS }, send)]);
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
    waitSeconds: () => {
      const done = seller.follower.seen - before;
      return done === 0 ? Infinity : (waiting() * (performance.now() - startedAt)) / MS / done;
    },
  };
}
