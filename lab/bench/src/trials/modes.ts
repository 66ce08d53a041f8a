import { loadavg } from 'node:os';
import type { Stack } from '@saleschannel/local';
import { openDriver, type Driver } from '../load/closed-loop.ts';
import { readProportional, sumSystemCpu } from '../measure/processes.ts';
import { measureTrades, UNLIMITED } from '../scenarios/settle.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';

const MIB = 1024 * 1024;

/** One of the compared systems. */
interface Mode {
  readonly name: string;
  readonly stack: Stack;
  readonly driver: Driver;
  readonly loaded: number[];
  readonly cpu: number[];
  readonly perSecond: number[];
}

export const modes: Scenario = {
  name: 'modes',
  describe: 'trades with all services in one process and with one process each, and the memory (PSS) afterwards',
  isTrial: true,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED, allInOne: false }, (separate) =>
      bench.withStack({ variables: UNLIMITED, allInOne: true }, (one) =>
        measure(bench, { 'separate services': separate, 'all in one': one }),
      ),
    ),
};

async function measure({ options, log }: ScenarioContext, stacks: Readonly<Record<string, Stack>>): Promise<Figure[]> {
  const all: Mode[] = [];
  for (const [name, stack] of Object.entries(stacks)) {
    const driver = await openDriver(stack);
    all.push({ name, stack, driver, loaded: [], cpu: [], perSecond: [] });
  }
  try {
    for (let number = 0; number < options.rounds; number++) {
      for (let turn = 0; turn < all.length; turn++) {
        const mode = all[(number + turn) % all.length] as Mode;
        await measureRound(mode, options);
        const load = loadavg()[0]?.toFixed(1);
        log(`round ${number + 1}, ${mode.name}: CPU ${mode.cpu.at(-1)?.toFixed(0)} µs, load average ${load}`);
      }
    }
  } finally {
    for (const { driver } of all) await driver.close();
  }
  return all.flatMap(({ name, loaded, cpu, perSecond }) => [
    { name: `${name}: memory after trades`, unit: 'MiB', rounds: loaded },
    { name: `${name}: CPU of a trade`, unit: 'µs', rounds: cpu },
    { name: `${name}: trades`, unit: '/s', rounds: perSecond },
  ]);
}

async function measureRound({ stack, driver, ...figures }: Mode, options: ScenarioContext['options']): Promise<void> {
  const { cpu, tradesPerSecond } = await measureTrades(stack, driver, options);
  figures.cpu.push(sumSystemCpu(cpu));
  figures.perSecond.push(tradesPerSecond);
  figures.loaded.push(readMemory(stack));
}

/** MiB of the services, without the servers, which are the same in both modes. */
const readMemory = ({ processes }: Stack): number =>
  processes.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : readProportional(pid)), 0) / MIB;
