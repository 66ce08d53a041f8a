import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { createDriver, type Driver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { proportionalOf } from '../measure/memory.ts';
import { cpuDuring, ofSystem } from '../measure/processes.ts';
import { measureTrades, UNLIMITED } from '../scenarios/settle.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;
const IDLE_SECONDS = 20;
const MIB = 1024 * 1024;
const MICROSECONDS_PER_SECOND = 1_000_000;
const PERCENT = 100;

/** A system that is measured. */
interface Mode {
  readonly name: string;
  readonly stack: Stack;
  readonly driver: Driver;
  readonly idlePercent: number[];
  readonly started: number[];
  readonly loaded: number[];
  readonly cpu: number[];
  readonly perSecond: number[];
}

export const modes: Scenario = {
  name: 'modes',
  describe: 'all services in one process and each in its own: memory (PSS), idle CPU, and trades',
  isTrial: true,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, (separate) =>
      bench.withStack({ variables: UNLIMITED, allInOne: true }, (one) =>
        measure(bench, { 'separate services': separate, 'all in one': one }),
      ),
    ),
};

async function measure({ options, say }: Bench, stacks: Readonly<Record<string, Stack>>): Promise<Figure[]> {
  const all: Mode[] = [];
  for (const [name, stack] of Object.entries(stacks)) {
    const started = [memoryOf(stack)];
    const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
    all.push({ name, stack, driver, started, idlePercent: [], loaded: [], cpu: [], perSecond: [] });
  }
  try {
    for (let number = 0; number < options.rounds; number++) {
      for (let turn = 0; turn < all.length; turn++) {
        const mode = all[(number + turn) % all.length] as Mode;
        await measureRound(mode, options);
        const load = loadavg()[0]?.toFixed(1);
        say(`round ${number + 1}, ${mode.name}: idle ${mode.idlePercent.at(-1)?.toFixed(1)} %, load average ${load}`);
      }
    }
  } finally {
    for (const { driver } of all) await driver.close();
  }
  return all.flatMap(({ name, idlePercent, started, loaded, cpu, perSecond }) => [
    { name: `${name}: memory after the start`, unit: 'MiB', rounds: started },
    { name: `${name}: memory after trades`, unit: 'MiB', rounds: loaded },
    { name: `${name}: idle, of a core`, unit: '%', rounds: idlePercent },
    { name: `${name}: CPU of a trade`, unit: 'µs', rounds: cpu },
    { name: `${name}: trades`, unit: '/s', rounds: perSecond },
  ]);
}

async function measureRound({ stack, driver, ...figures }: Mode, options: Bench['options']): Promise<void> {
  const { cpu: idle } = await cpuDuring(stack, () => delay(IDLE_SECONDS * 1_000));
  figures.idlePercent.push((ofSystem(idle) / (IDLE_SECONDS * MICROSECONDS_PER_SECOND)) * PERCENT);
  const { cpu, tradesPerSecond } = await measureTrades(stack, driver, options);
  figures.cpu.push(ofSystem(cpu));
  figures.perSecond.push(tradesPerSecond);
  figures.loaded.push(memoryOf(stack));
}

/** MiB of the services. The servers that they use are the same in both modes. */
const memoryOf = ({ processes }: Stack): number =>
  processes.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : proportionalOf(pid)), 0) / MIB;
