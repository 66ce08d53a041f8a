import type { Stack } from '@saleschannel/local';
import { createDriver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { residentOf } from '../measure/memory.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;
const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 100;

type Memory = Readonly<Record<string, number>>;

interface Round {
  /** From an empty folder until the gateway serves: databases, broker, migrations, services. */
  readonly secondsToServing: number;
  /** Seconds from the launch of each process until it is ready. All but the gateway are launched together. */
  readonly ready: Readonly<Record<string, number>>;
  readonly idle: Memory;
  /** The largest under load. */
  readonly loaded: Memory;
}

export const start: Scenario = {
  name: 'start',
  describe: 'seconds until a system that was nowhere serves, and resident memory of each process, idle and under load',
  async run(bench) {
    const rounds: Round[] = [];
    for (let number = 1; number <= bench.options.rounds; number++) {
      const round = await measureRound(bench);
      rounds.push(round);
      bench.say(`round ${number}: serving after ${round.secondsToServing.toFixed(1)} s`);
    }
    return figuresOf(rounds);
  },
};

async function measureRound({ options, withStack }: Bench): Promise<Round> {
  const begun = performance.now();
  return withStack({ variables: UNLIMITED }, async (stack) => {
    const secondsToServing = (performance.now() - begun) / 1_000;
    const idle = memoryOf(stack);
    const ready = Object.fromEntries(stack.processes.map((each) => [each.name, (each.readyAfterMs ?? 0) / 1_000]));
    const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
    const loaded: Record<string, number> = {};
    const look = setInterval(() => {
      for (const [name, bytes] of Object.entries(memoryOf(stack))) loaded[name] = Math.max(loaded[name] ?? 0, bytes);
    }, LOOK_EVERY_MS);
    try {
      await driver.run(options.trades, options.unfinished);
    } finally {
      clearInterval(look);
      await driver.close();
    }
    return { secondsToServing, ready, idle, loaded };
  });
}

const memoryOf = ({ processes }: Stack): Memory =>
  Object.fromEntries(processes.map(({ name, pid }) => [name, pid === undefined ? 0 : residentOf(pid)]));

function figuresOf(rounds: readonly Round[]): Figure[] {
  const processes = Object.keys(rounds[0]?.idle ?? {});
  const memory = (name: string, kind: 'idle' | 'loaded'): number[] =>
    rounds.map((round) => (round[kind][name] ?? 0) / MIB);
  return [
    { name: 'from nothing to serving', unit: 's', rounds: rounds.map(({ secondsToServing }) => secondsToServing) },
    ...processes.flatMap((name) => [
      { name: `${name} ready after`, unit: 's', rounds: rounds.map(({ ready }) => ready[name] ?? 0) },
      { name: `memory of ${name}, idle`, unit: 'MiB', rounds: memory(name, 'idle') },
      { name: `memory of ${name}, under load`, unit: 'MiB', rounds: memory(name, 'loaded') },
    ]),
  ];
}
