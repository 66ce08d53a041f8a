import type { Stack } from '@saleschannel/local';
import { createDriver } from '../load/closed-loop.ts';
import { createMarket, type Market } from '../load/markets.ts';
import { runOpenLoop, type Latencies } from '../load/open-loop.ts';
import { measureCpu, cpuPerOperation, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { median, percentile } from '../measure/statistics.ts';
import { measureSteps } from '../reference/steps.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario, type Target } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const ISSUANCES = 4_096;
const TURNS_BY_HAND = 300;
const RATES = [1, 20, 200, 1_000] as const;
/**
 * Code that has only run for batches is not yet compiled for single trades: the first ones cost up to 2.5 times as much
 * as those after a thousand. Services run for weeks, so the rates are measured afterwards.
 */
const ALONE_BEFORE = { perSecond: 50, seconds: 40 } as const;
const RATE_AT_FIRST = 20;
/** At a low rate, this number takes longer than `--seconds`. */
const TRADES_AT_LEAST = 20;
/** Targets of separate services. */
const P50_AT_MOST_MS: Readonly<Record<number, number>> = { 20: 15, 200: 30 };
const P99_BY_P50_AT_MOST = 4;

/** Measurements at one rate. */
interface AtRate extends Latencies {
  /** Microseconds by process and trade, without followers. */
  readonly cpu: CpuTimes;
}

interface Round {
  /** Median milliseconds of the same steps by hand. */
  readonly byHand: number;
  readonly byRate: Readonly<Record<number, AtRate>>;
}

export const latency: Scenario = {
  name: 'latency',
  describe: `open loop at ${RATES.join(', ')} trades per second, until a client knows, and the same steps by hand`,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const market = await createMarket(stack, ISSUANCES);
      await warmUp(bench, stack.baseUrl, market);
      const first = await measureAt(bench, stack, market, RATE_AT_FIRST);
      await runOpenLoop(stack, market, ALONE_BEFORE);
      const rounds: Round[] = [];
      for (let number = 1; number <= bench.options.rounds; number++) {
        const byHand = median(await measureSteps(stack, TURNS_BY_HAND));
        const byRate: Record<number, AtRate> = {};
        for (const perSecond of RATES) byRate[perSecond] = await measureAt(bench, stack, market, perSecond);
        rounds.push({ byHand, byRate });
        bench.log(
          `round ${number}: by hand ${byHand.toFixed(1)} ms, ${RATES.map((rate) => format(rate, byRate)).join(', ')}`,
        );
      }
      return [...figuresAtFirst(first), ...toFigures(rounds)];
    }),
};

/** Measures twice, because a follower costs something. */
async function measureAt(
  { options }: ScenarioContext,
  stack: Stack,
  market: Market,
  perSecond: number,
): Promise<AtRate> {
  const load = { perSecond, seconds: Math.max(options.seconds, TRADES_AT_LEAST / perSecond) };
  const { result, cpu } = await measureCpu(stack, () => runOpenLoop(stack, market, load));
  const { followed } = await runOpenLoop(stack, market, { ...load, follows: true });
  return { known: result.known, followed, cpu: cpuPerOperation(cpu, result.known.length) };
}

async function warmUp({ options }: ScenarioContext, baseUrl: string, market: Market): Promise<void> {
  const driver = createDriver(baseUrl, [market]);
  await driver.run(options.warmup, options.unfinished);
  await driver.close();
}

const figuresAtFirst = ({ known, cpu }: AtRate): Figure[] => [
  { name: `client knows of SUCCESS p50 at ${RATE_AT_FIRST}/s, at first`, unit: 'ms', rounds: [median(known)] },
  { name: `CPU of a trade at ${RATE_AT_FIRST}/s, at first, without the load`, unit: 'µs', rounds: [sumSystemCpu(cpu)] },
];

function format(perSecond: number, byRate: Readonly<Record<number, AtRate>>): string {
  const { known = [], followed = [] } = byRate[perSecond] ?? {};
  const times = [median(known), percentile(known, 0.99), median(followed), percentile(followed, 0.99)];
  return `${perSecond}/s task and event p50/p99 ${times.map((ms) => ms.toFixed(0)).join('/')} ms`;
}

const ends = [
  { key: 'known', text: 'client knows of SUCCESS' },
  { key: 'followed', text: 'event on a stream' },
] as const;

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  return [
    figure('steps by hand p50', 'ms', ({ byHand }) => byHand),
    ...RATES.flatMap((rate) => {
      const read = (round: Round, key: keyof Latencies, part: number): number =>
        percentile(round.byRate[rate]?.[key] ?? [], part);
      const p50AtMost = P50_AT_MOST_MS[rate];
      return [
        ...ends.flatMap(({ key, text }) => [
          figure(
            `${text} p50 at ${rate}/s`,
            'ms',
            (round) => read(round, key, 0.5),
            toTarget(key === 'known' ? p50AtMost : undefined),
          ),
          figure(`${text} p99 at ${rate}/s`, 'ms', (round) => read(round, key, 0.99)),
        ]),
        figure(
          `client knows of SUCCESS p99 ÷ p50 at ${rate}/s`,
          '',
          (round) => read(round, 'known', 0.99) / read(round, 'known', 0.5),
          toTarget(p50AtMost && P99_BY_P50_AT_MOST),
        ),
        ...cpuFigures(rate, rounds),
      ];
    }),
  ];
}

const toTarget = (atMost: number | undefined): Target | undefined => (atMost === undefined ? undefined : { atMost });

/** CPU per process, because at low rates it determines the latency. */
function cpuFigures(rate: number, rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds.map(({ byRate }) => byRate[rate]?.cpu ?? {}));
  const names = Object.keys(rounds[0]?.byRate[rate]?.cpu ?? {});
  return [
    figure(`CPU of a trade at ${rate}/s, without the load`, 'µs', sumSystemCpu),
    ...names.map((name) => figure(`CPU of a trade at ${rate}/s: ${name}`, 'µs', (cpu) => cpu[name] ?? 0)),
  ];
}
