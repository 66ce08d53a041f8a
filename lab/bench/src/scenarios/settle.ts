import type { Stack } from '@saleschannel/local';
import { openDriver, type Driver } from '../load/closed-loop.ts';
import { subtractCounters, readWriteCounters, type WriteCounters } from '../measure/database.ts';
import { measureCpu, cpuPerOperation, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { prepareSettleReference, type SettleReference, type SettleResult } from '../reference/settle.ts';
import { budgetFigures } from '../report/figures.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

const REFERENCE_CLIENTS = 8;

/**
 * Rate limits are for clients, but one client represents the whole market here. Everything else is as in production.
 */
export const UNLIMITED = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  CHANNEL_RATE_LIMIT_PER_SECOND: '1000000',
  CHANNEL_RATE_LIMIT_BURST: '1000000',
  CHANNEL_READS_AT_ONCE: '1000',
};

/** Result of one round of trades. */
export interface SettleRound {
  readonly tradesPerSecond: number;
  /** Microseconds of each process per trade. */
  readonly cpu: CpuTimes;
  readonly written: WriteCounters;
  readonly trades: number;
}

export const settle: Scenario = {
  name: 'settle',
  describe: 'trades, from POST until the event was read ÷ the ledger step alone by pgbench, on a private schema',
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const reference = await prepareSettleReference(stack, bench.folder);
      const driver = await openDriver(stack);
      try {
        return toFigures(await alternate(bench, stack, reference, driver));
      } finally {
        await driver.close();
      }
    }),
};

interface Round {
  readonly reference: SettleResult;
  readonly batches: SettleResult;
  readonly system: SettleRound;
}

async function alternate(
  { options, log }: ScenarioContext,
  stack: Stack,
  reference: SettleReference,
  driver: Driver,
): Promise<Round[]> {
  log(`warming up with ${options.warmup} trades`);
  await driver.run(options.warmup, options.unfinished);
  await reference.measure({ clients: REFERENCE_CLIENTS, seconds: 1, commit: 'each' });
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const load = { clients: REFERENCE_CLIENTS, seconds: options.seconds } as const;
    const each = await reference.measure({ ...load, commit: 'each' });
    const system = await measureTrades(stack, driver, options);
    const batches = await reference.measure({ ...load, commit: 'batch' });
    rounds.push({ reference: each, batches, system });
    const cpu = sumSystemCpu(system.cpu);
    log(
      `round ${number}: ${system.tradesPerSecond.toFixed(0)}/s against ${each.stepsPerSecond.toFixed(0)}/s, ` +
        `CPU ${cpu.toFixed(0)} µs against ${each.cpuPerStep.toFixed(0)} µs`,
    );
  }
  return rounds;
}

/** Sends trades until the event of each was read. */
export async function measureTrades(
  stack: Stack,
  driver: Driver,
  { trades, unfinished }: { readonly trades: number; readonly unfinished: number },
): Promise<SettleRound> {
  const before = await readWriteCounters(stack);
  const { result, cpu } = await measureCpu(stack, () => driver.run(trades, unfinished));
  return {
    tradesPerSecond: result.trades / result.seconds,
    cpu: cpuPerOperation(cpu, result.trades),
    written: subtractCounters(await readWriteCounters(stack), before),
    trades: result.trades,
  };
}

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  const perTrade = (name: string, unit: string, select: (written: WriteCounters) => number): Figure =>
    figure(name, unit, ({ system }) => select(system.written) / system.trades);
  const databases = Object.keys(rounds[0]?.system.written.commits ?? {});
  return [
    figure(
      'rate ÷ rate of the reference',
      '',
      ({ system, reference }) => system.tradesPerSecond / reference.stepsPerSecond,
      { atLeast: 1 },
    ),
    figure(
      'CPU per trade ÷ CPU per reference step',
      '',
      ({ system, reference }) => sumSystemCpu(system.cpu) / reference.cpuPerStep,
      { atMost: 1 },
    ),
    figure(
      'rate ÷ rate of the reference with 50 ordered steps per commit',
      '',
      ({ system, batches }) => system.tradesPerSecond / batches.stepsPerSecond,
    ),
    figure('trades', '/s', ({ system }) => system.tradesPerSecond),
    figure('reference steps', '/s', ({ reference }) => reference.stepsPerSecond),
    figure('CPU of a reference step', 'µs', ({ reference }) => reference.cpuPerStep),
    ...budgetFigures(rounds.map(({ system }) => system.cpu)),
    perTrade('WAL of a trade', 'B', ({ walBytes }) => walBytes),
    perTrade('index entries of a trade, at most', '', ({ indexEntries }) => indexEntries),
    perTrade('messages of a trade', '', ({ messages }) => messages),
    ...databases.map((name) => perTrade(`commits of a trade, ${name}`, '', ({ commits }) => commits[name] ?? 0)),
    figure(
      'updates without index entries',
      '%',
      ({ system: { written } }) => (100 * written.hotUpdates) / Math.max(1, written.updates),
    ),
  ];
}
