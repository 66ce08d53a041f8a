import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

export interface Overload {
  readonly accepted: number;
  /** Answers 503 with `Retry-After`. */
  readonly throttled: number;
  /** Answers 400, because the previous trade of the same issuance was still pending. */
  readonly rejectedEarly: number;
  /** Milliseconds from each request's scheduled time until its answer. */
  readonly answered: readonly number[];
  /** Time from the end of sending until the last accepted trade was done. */
  readonly drainSeconds: number;
}

/** Maximum of pending requests. A client beyond it would have run out of connections. */
const CONNECTIONS = 1_500;
const FOLLOW_PAUSE_MS = 20;
const MS = 1_000;

/**
 * Sends at a fixed rate regardless of answers, rotating through the markets.
 * @throws Error for an answer other than a task, the rejection of a certificate still in use, or a 503 with
 * `Retry-After`
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
    else throw new Error(`A trade was answered ${answer?.status}.`);
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
  return {
    accepted,
    throttled: turnedAway,
    rejectedEarly: early,
    answered,
    drainSeconds: (performance.now() - endedAt) / MS,
  };
}
