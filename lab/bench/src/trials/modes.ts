import { loadavg } from 'node:os';
import type { Stack } from '@saleschannel/local';
import { openDriver, type Driver } from '../load/closed-loop.ts';
import { readProportional, sumSystemCpu } from '../measure/processes.ts';
import { measureTrades, UNLIMITED } from '../scenarios/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

const MIB = 1024 * 1024;

/** One of the compared systems. */
interface Mode {
  readonly name: string;
  readonly stack: Stack;
  readonly driver: Driver;
  readonly rounds: { readonly memory: number; readonly cpu: number; readonly perSecond: number }[];
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
  for (const [name, stack] of Object.entries(stacks))
    all.push({ name, stack, driver: await openDriver(stack), rounds: [] });
  try {
    for (let number = 0; number < options.rounds; number++) {
      for (let turn = 0; turn < all.length; turn++) {
        const { name, stack, driver, rounds } = all[(number + turn) % all.length] as Mode;
        const trades = await measureTrades(stack, driver, options);
        const cpu = sumSystemCpu(trades.cpu);
        rounds.push({ memory: readMemory(stack), cpu, perSecond: trades.tradesPerSecond });
        log(`round ${number + 1}, ${name}: CPU ${cpu.toFixed(0)} µs, load average ${loadavg()[0]?.toFixed(1)}`);
      }
    }
  } finally {
    for (const { driver } of all) await driver.close();
  }
  return all.flatMap(({ name, rounds }) => {
    const figure = createFigures(rounds);
    return [
      figure(`${name}: memory after trades`, 'MiB', ({ memory }) => memory),
      figure(`${name}: CPU of a trade`, 'µs', ({ cpu }) => cpu),
      figure(`${name}: trades`, '/s', ({ perSecond }) => perSecond),
    ];
  });
}

/** MiB of the services, without the servers, which are the same in both modes. */
const readMemory = ({ processes }: Stack): number =>
  processes.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : readProportional(pid)), 0) / MIB;
