import { startFlood } from '../load/flood.ts';
import { createMarkets } from '../load/markets.ts';
import { runOpenLoop, type Latencies } from '../load/open-loop.ts';
import { percentile } from '../measure/statistics.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';
import { measureFloods } from './floods.ts';
import { UNLIMITED } from './settle.ts';

/**
 * More than the waiting trades, because each takes the first certificate of another issuance, which the previous trade
 * must have left.
 */
const ISSUANCES = 6_000;
/** Trades per second of the quiet channel. */
const QUIET_PER_SECOND = 20;
const WARM_UP_PER_SECOND = 200;
/** Waiting trades of the other channel, slightly fewer than TASKS_WAITING_PER_CHANNEL_MAX allows. */
const FLOOD = 4_500;

interface Round {
  readonly alone: Latencies;
  readonly beside: Latencies;
  /** Milliseconds per trade of the flooding channel. */
  readonly floodMs: number;
}

/** Raises the limit of requests per user, because one client acts for a whole market. */
const limits = {
  'as delivered': { LOG_LEVEL: 'warn' },
  'without rate limits': UNLIMITED,
} as const;
type Limits = keyof typeof limits;

export const fairness: Scenario = {
  name: 'fairness',
  describe: `a channel with ${QUIET_PER_SECOND} trades per second beside a flooding one ÷ the same channel alone`,
  async run(bench) {
    const figures: Figure[] = [];
    for (const name of Object.keys(limits) as Limits[]) figures.push(...(await measureBeside(bench, name)));
    return [...figures, ...(await measureFloods(bench))];
  },
};

const measureBeside = (bench: ScenarioContext, name: Limits): Promise<Figure[]> =>
  bench.withStack({ variables: limits[name] }, async (stack) => {
    const [quiet, other] = await createMarkets(stack, 2, ISSUANCES);
    if (!quiet || !other) throw new Error('The stack needs two markets.');
    const load = { perSecond: QUIET_PER_SECOND, seconds: bench.options.seconds };
    for (const market of [quiet, other]) await runOpenLoop(stack, market, { ...load, perSecond: WARM_UP_PER_SECOND });
    const rounds: Round[] = [];
    for (let number = 1; number <= bench.options.rounds; number++) {
      const alone = await runOpenLoop(stack, quiet, load);
      const flood = startFlood(stack, other, FLOOD);
      await flood.isFull;
      const beside = await runOpenLoop(stack, quiet, load);
      const floodMs = flood.waitSeconds() * 1_000;
      await flood.stop();
      rounds.push({ alone, beside, floodMs });
      bench.log(
        `${name}, round ${number}: task p50/p99 alone ${format(alone)}, beside a flood ${format(beside)} ms, ` +
          `of the flood ${floodMs.toFixed(0)} ms`,
      );
    }
    return toFigures(rounds).map((figure) => ({ ...figure, name: `${figure.name}, ${name}` }));
  });

const format = ({ known }: Latencies): string =>
  `${percentile(known, 0.5).toFixed(0)}/${percentile(known, 0.99).toFixed(0)}`;

function toFigures(rounds: readonly Round[]): Figure[] {
  const of = (key: keyof Latencies, part: number) =>
    rounds.map(({ alone, beside }) => percentile(beside[key], part) / percentile(alone[key], part));
  const ms = (which: 'alone' | 'beside', part: number) => rounds.map((round) => percentile(round[which].known, part));
  return [
    { name: 'task SUCCESS p50 beside a flood ÷ alone', unit: '', rounds: of('known', 0.5), target: { atMost: 2 } },
    { name: 'task SUCCESS p99 beside a flood ÷ alone', unit: '', rounds: of('known', 0.99) },
    ...[0.5, 0.99].flatMap((part) => [
      { name: `task SUCCESS p${part * 100} alone`, unit: 'ms', rounds: ms('alone', part) },
      { name: `task SUCCESS p${part * 100} beside a flood`, unit: 'ms', rounds: ms('beside', part) },
    ]),
    {
      name: 'a trade of the flooding channel ÷ one of the quiet channel beside it',
      unit: '',
      rounds: rounds.map(({ floodMs, beside }) => floodMs / percentile(beside.known, 0.5)),
    },
  ];
}
