import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { createDriver } from '../load/closed-loop.ts';
import { createMarkets, type Market } from '../load/markets.ts';
import { Seller } from '../load/seller.ts';
import { percentile } from '../measure/statistics.ts';
import { createFigures, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

interface Overload {
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
async function runOverload(
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

const MARKETS = 4;
/** More than the waiting trades of one market, because each takes the first certificate of another issuance. */
const ISSUANCES_PER_MARKET = 6_000;
const TIMES = 5;

interface Round extends Overload {
  readonly saturation: number;
}

export const admission: Scenario = {
  name: 'admission',
  describe: `open loop at ${TIMES} times the saturation rate: accepted trades are settled, the rest gets a 503`,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const { trades, warmup, unfinished, seconds, rounds: wanted } = bench.options;
      const markets = await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET);
      const driver = createDriver(stack.baseUrl, markets);
      await driver.run(warmup, unfinished);
      const rounds: Round[] = [];
      for (let number = 1; number <= wanted; number++) {
        const settled = await driver.run(trades, unfinished);
        const saturation = settled.trades / settled.seconds;
        const overload = await runOverload(stack.baseUrl, markets, { perSecond: TIMES * saturation, seconds });
        rounds.push({ ...overload, saturation });
        const { accepted, throttled, rejectedEarly, drainSeconds } = overload;
        bench.log(
          `round ${number}: saturation ${saturation.toFixed(0)}/s; at ${TIMES} times ${accepted} accepted and done, ` +
            `${throttled} throttled, ${rejectedEarly} too early, the last settled after ${drainSeconds.toFixed(1)} s`,
        );
      }
      await driver.close();
      return toFigures(rounds);
    }),
};

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  return [
    figure(
      'accepted and done per second under overload ÷ saturation',
      '',
      ({ accepted, throttled, saturation, drainSeconds }) =>
        accepted / ((accepted + throttled) / (TIMES * saturation) + drainSeconds) / saturation,
    ),
    figure(
      'turned away with 503 and Retry-After',
      '%',
      ({ accepted, throttled }) => (100 * throttled) / (accepted + throttled),
    ),
    figure('answer p99 under overload', 'ms', ({ answered }) => percentile(answered, 0.99)),
    figure('until the last was done', 's', ({ drainSeconds }) => drainSeconds),
  ];
}
