import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

export interface Overload {
  readonly accepted: number;
  /** Answered with 503 and a time to wait. */
  readonly turnedAway: number;
  /** Answered with 400: the trade before it of the same issuance had not left it yet. */
  readonly early: number;
  /** Milliseconds from when each request was due until its answer. */
  readonly answered: readonly number[];
  /** Until the last of what was accepted was done, from the end of the sending. */
  readonly drainSeconds: number;
}

/** Waiting for an answer at once, in all: a client beyond that would have run out of connections. */
const CONNECTIONS = 1_500;
const FOLLOW_PAUSE_MS = 20;
const MS = 1_000;

/**
 * Sends at a fixed rate, whatever is answered, by all markets in turn.
 * @throws Error for an answer that is neither a task, nor the refusal of what is still in the ledger's way, nor a 503
 * with `Retry-After`
 */
export async function runOverload(
  baseUrl: string,
  markets: readonly Market[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Overload> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const sellers = markets.map((market) => new Seller(pool, market));
  for (const { follower } of sellers) await follower.catchUp();
  const seen = (): number => sellers.reduce((sum, { follower }) => sum + follower.seen, 0);
  const before = seen();
  const answered: number[] = [];
  let [accepted, turnedAway, early] = [0, 0, 0];
  const sendOne = async (index: number, due: number): Promise<void> => {
    const answer = await sellers[index % sellers.length]?.offer();
    answered.push(performance.now() - due);
    if (answer?.taskId !== undefined) accepted++;
    else if (answer?.status === 503 && answer.retryAfter !== undefined) turnedAway++;
    else if (answer?.status === 400) early++;
    else throw new Error(`a trade was answered ${answer?.status}`);
  };
  const total = Math.round(perSecond * seconds);
  const start = performance.now();
  const sending: Promise<void>[] = [];
  for (let index = 0; index < total;) {
    for (; index < total && start + (index * MS) / perSecond <= performance.now(); index++)
      sending.push(sendOne(index, start + (index * MS) / perSecond));
    await delay(1);
  }
  await Promise.all(sending);
  const endedAt = performance.now();
  while (seen() - before < accepted)
    for (const { follower } of sellers) if (!(await follower.poll())) await delay(FOLLOW_PAUSE_MS);
  await pool.close();
  return { accepted, turnedAway, early, answered, drainSeconds: (performance.now() - endedAt) / MS };
}
