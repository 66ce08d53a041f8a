import { createDriver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { runOverload, type Overload } from '../load/overload.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

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

const toFigures = (rounds: readonly Round[]): Figure[] => [
  {
    name: 'accepted and done per second under overload ÷ saturation',
    unit: '',
    rounds: rounds.map(
      ({ accepted, throttled, saturation, drainSeconds }) =>
        accepted / ((accepted + throttled) / (TIMES * saturation) + drainSeconds) / saturation,
    ),
  },
  {
    name: 'turned away with 503 and Retry-After',
    unit: '%',
    rounds: rounds.map(({ accepted, throttled }) => (100 * throttled) / (accepted + throttled)),
  },
  { name: 'answer p99 under overload', unit: 'ms', rounds: rounds.map(({ answered }) => percentile(answered, 0.99)) },
  { name: 'until the last was done', unit: 's', rounds: rounds.map(({ drainSeconds }) => drainSeconds) },
];
