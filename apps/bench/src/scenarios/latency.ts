import { runOpenLoop, type Latencies } from '../load/open-loop.ts';
import { createMarkets, type Market } from '../load/markets.ts';
import { createDriver } from '../load/closed-loop.ts';
import { cpuDuring, cpuEach, ofSystem, type CpuTimes } from '../measure/processes.ts';
import { median, percentile } from '../measure/statistics.ts';
import { measureStepsByHand } from '../reference/steps.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const ISSUANCES = 4_096;
const TURNS_BY_HAND = 300;
const RATES = [200, 1_000] as const;

/** What was measured at one rate. */
interface AtRate {
  readonly latencies: Latencies;
  /** Microseconds by process and trade. */
  readonly cpu: CpuTimes;
}

interface Round {
  /** Median milliseconds of the same steps by hand. */
  readonly byHand: number;
  readonly byRate: Readonly<Record<number, AtRate>>;
}

export const latency: Scenario = {
  name: 'latency',
  describe: 'open loop at 200 and 1,000 trades per second ÷ the same steps one after the other by hand',
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const [market] = await createMarkets(stack, 1, ISSUANCES);
      if (!market) throw new Error('there is no market');
      await warmUp(bench, stack.baseUrl, market);
      const rounds: Round[] = [];
      for (let number = 1; number <= bench.options.rounds; number++) {
        const byHand = median(await measureStepsByHand(stack, TURNS_BY_HAND));
        const byRate: Record<number, AtRate> = {};
        for (const perSecond of RATES) {
          const load = { perSecond, seconds: bench.options.seconds };
          const { result, cpu } = await cpuDuring(stack, () => runOpenLoop(stack, market, load));
          byRate[perSecond] = { latencies: result, cpu: cpuEach(cpu, result.ended.length) };
        }
        rounds.push({ byHand, byRate });
        bench.say(
          `round ${number}: by hand ${byHand.toFixed(1)} ms, ${RATES.map((rate) => told(rate, byRate)).join(', ')}`,
        );
      }
      return figuresOf(rounds);
    }),
};

async function warmUp({ options }: Bench, baseUrl: string, market: Market): Promise<void> {
  const driver = createDriver(baseUrl, [market]);
  await driver.run(options.warmup, options.unfinished);
  await driver.close();
}

function told(perSecond: number, byRate: Readonly<Record<number, AtRate>>): string {
  const { ended, readable } = byRate[perSecond]?.latencies ?? { ended: [], readable: [] };
  const times = [median(ended), percentile(ended, 0.99), median(readable), percentile(readable, 0.99)];
  return `${perSecond}/s task and event p50/p99 ${times.map((ms) => ms.toFixed(0)).join('/')} ms`;
}

const steps = [
  { key: 'accepted', text: 'POST answered' },
  { key: 'ended', text: 'task SUCCESS' },
  { key: 'readable', text: 'event readable' },
] as const;

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (rate: number, key: keyof Latencies, part: number): number[] =>
    rounds.map(({ byRate }) => percentile(byRate[rate]?.latencies[key] ?? [], part));
  const [slow, fast] = RATES;
  const ratio = (key: keyof Latencies): number[] =>
    of(slow, key, 0.5).map((ms, round) => ms / (rounds[round]?.byHand ?? 1));
  const spread = (key: keyof Latencies): number[] =>
    of(fast, key, 0.99).map((ms, round) => ms / (of(fast, key, 0.5)[round] ?? 1));
  return [
    { name: `task SUCCESS p50 at ${slow}/s ÷ by hand`, unit: '', rounds: ratio('ended'), target: { atMost: 4 } },
    { name: `event readable p50 at ${slow}/s ÷ by hand`, unit: '', rounds: ratio('readable'), target: { atMost: 4 } },
    { name: `task SUCCESS p99 ÷ p50 at ${fast}/s`, unit: '', rounds: spread('ended'), target: { atMost: 4 } },
    { name: `event readable p99 ÷ p50 at ${fast}/s`, unit: '', rounds: spread('readable'), target: { atMost: 4 } },
    { name: 'steps by hand p50', unit: 'ms', rounds: rounds.map(({ byHand }) => byHand) },
    ...RATES.flatMap((rate) => cpuFigures(rate, rounds)),
    ...RATES.flatMap((rate) =>
      steps.flatMap(({ key, text }) =>
        [0.5, 0.99].map((part) => ({
          name: `${text} p${part * 100} at ${rate}/s`,
          unit: 'ms',
          rounds: of(rate, key, part),
          ...(rate === slow && part === 0.5 && key !== 'accepted'
            ? { target: { atMost: key === 'ended' ? 15 : 25 } }
            : {}),
        })),
      ),
    ),
  ];
}

/** What a trade costs is told by process, for at low rates it is what makes the others wait. */
function cpuFigures(rate: number, rounds: readonly Round[]): Figure[] {
  const each = (read: (cpu: CpuTimes) => number): number[] => rounds.map(({ byRate }) => read(byRate[rate]?.cpu ?? {}));
  const names = Object.keys(rounds[0]?.byRate[rate]?.cpu ?? {});
  return [
    { name: `CPU of a trade at ${rate}/s, without the load`, unit: 'µs', rounds: each(ofSystem) },
    ...names.map((name) => ({
      name: `CPU of a trade at ${rate}/s: ${name}`,
      unit: 'µs',
      rounds: each((cpu) => cpu[name] ?? 0),
    })),
  ];
}
