import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { openDriver } from '../load/closed-loop.ts';
import { createFourMarkets } from '../load/markets.ts';
import { readProportional, measureCpu, sumSystemCpu, listProcesses } from '../measure/processes.ts';
import { createFigures, type BenchOptions, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 1_000;
/** Pause after the start, until its CPU and memory use has settled. */
const SETTLES_MS = 10_000;
const IDLE_MS = 20_000;

interface Limits {
  /** Seconds from existing data to serving. */
  readonly seconds: number;
  /** Idle CPU in percent of a core. */
  readonly percent: number;
}

const LIMITS: Readonly<Record<BenchOptions['mode'], Limits>> = {
  separate: { seconds: 10, percent: 4 },
  'all-in-one': { seconds: 6, percent: 2 },
};

type Memory = Readonly<Record<string, number>>;

interface Round {
  /** Time from an empty folder until the gateway serves: databases, broker, migrations, services. */
  readonly secondsToServing: number;
  /** The same with the data of the previous start. */
  readonly secondsOnKeptData: number;
  /** Seconds from the launch of each process until it is ready. All are launched together. */
  readonly ready: Readonly<Record<string, number>>;
  readonly idle: Memory;
  /** Percent of a core without requests. */
  readonly idleCpu: number;
  /** Maximum under load. */
  readonly loaded: Memory;
}

export const start: Scenario = {
  name: 'start',
  describe:
    'seconds until a system serves, without and with existing data, its memory (PSS), idle and loaded, and idle CPU',
  async run(bench) {
    const rounds: Round[] = [];
    for (let number = 1; number <= bench.options.rounds; number++) {
      const round = await measureRound(bench, join(bench.folder, String(number)));
      rounds.push(round);
      const { secondsToServing, secondsOnKeptData, idle, idleCpu } = round;
      bench.log(
        `round ${number}: serving after ${secondsToServing.toFixed(1)} s, on kept data ` +
          `${secondsOnKeptData.toFixed(1)} s, ${sumOf(idle).toFixed(0)} MiB, idle ${idleCpu.toFixed(1)} %`,
      );
    }
    return toFigures(rounds, LIMITS[bench.options.mode]);
  },
};

async function measureRound({ options, withStack }: ScenarioContext, folder: string): Promise<Round> {
  const needs = { variables: UNLIMITED, folder };
  const secondsToServing = await secondsUntil((serving) =>
    withStack(needs, (stack) => {
      serving();
      return createFourMarkets(stack);
    }),
  );
  let rest: Omit<Round, 'secondsToServing' | 'secondsOnKeptData'> | undefined;
  const secondsOnKeptData = await secondsUntil((serving) =>
    withStack(needs, async (stack) => {
      serving();
      rest = await measureRunning(stack, options);
    }),
  );
  if (!rest) throw new Error('The system was not measured.');
  return { secondsToServing, secondsOnKeptData, ...rest };
}

/** Seconds until the work calls `serving`. */
async function secondsUntil(work: (serving: () => void) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let seconds = 0;
  await work(() => (seconds = (performance.now() - startedAt) / 1_000));
  return seconds;
}

async function measureRunning(stack: Stack, options: ScenarioContext['options']) {
  const ready = Object.fromEntries(stack.processes.map((each) => [each.name, (each.readyAfterMs ?? 0) / 1_000]));
  await delay(SETTLES_MS);
  const idle = readMemory(stack);
  const { cpu } = await measureCpu(stack, () => delay(IDLE_MS));
  const driver = await openDriver(stack);
  const loaded: Record<string, number> = {};
  const sample = (): void => {
    for (const [name, mib] of Object.entries(readMemory(stack))) loaded[name] = Math.max(loaded[name] ?? 0, mib);
  };
  const looking = setInterval(sample, LOOK_EVERY_MS);
  try {
    await driver.run(options.trades, options.unfinished);
    sample();
  } finally {
    clearInterval(looking);
    await driver.close();
  }
  return { ready, idle, idleCpu: (100 * sumSystemCpu(cpu)) / (IDLE_MS * 1_000), loaded };
}

/** MiB of each service and server. */
const readMemory = (stack: Stack): Memory =>
  Object.fromEntries(listProcesses(stack).map(({ name, pid }) => [name, readProportional(pid) / MIB]));

const sumOf = (memory: Memory): number => Object.values(memory).reduce((sum, mib) => sum + mib, 0);

function toFigures(rounds: readonly Round[], limits: Limits): Figure[] {
  const figure = createFigures(rounds);
  return [
    figure('from nothing to serving', 's', ({ secondsToServing }) => secondsToServing),
    figure('kept data to serving', 's', ({ secondsOnKeptData }) => secondsOnKeptData, { atMost: limits.seconds }),
    figure('idle CPU of a core', '%', ({ idleCpu }) => idleCpu, { atMost: limits.percent }),
    figure('memory of all, idle', 'MiB', ({ idle }) => sumOf(idle)),
    figure('memory of all, largest of each under load', 'MiB', ({ loaded }) => sumOf(loaded)),
    ...Object.keys(rounds[0]?.idle ?? {}).flatMap((name) => [
      figure(`${name} ready after`, 's', ({ ready }) => ready[name] ?? 0),
      figure(`memory of ${name}, idle`, 'MiB', ({ idle }) => idle[name] ?? 0),
      figure(`memory of ${name}, under load`, 'MiB', ({ loaded }) => loaded[name] ?? 0),
    ]),
  ];
}
