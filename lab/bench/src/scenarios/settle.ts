import type { Stack } from '@saleschannel/local';
import { createDriver, type Driver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { subtractCounters, readWriteCounters, type WriteCounters } from '../measure/database.ts';
import { measureCpu, cpuPerOperation, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { prepareSettleReference, type SettleReference, type SettleResult } from '../reference/settle.ts';
import { budgetFigures } from '../report/figures.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;
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
      const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
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
  const each = (of: (round: Round) => number): number[] => rounds.map(of);
  const perTrade = (of: (written: WriteCounters) => number): number[] =>
    each(({ system }) => of(system.written) / system.trades);
  const databases = Object.keys(rounds[0]?.system.written.commits ?? {});
  return [
    {
      name: 'rate ÷ rate of the reference',
      unit: '',
      rounds: each(({ system, reference }) => system.tradesPerSecond / reference.stepsPerSecond),
      target: { atLeast: 1 },
    },
    {
      name: 'CPU per trade ÷ CPU per reference step',
      unit: '',
      rounds: each(({ system, reference }) => sumSystemCpu(system.cpu) / reference.cpuPerStep),
      target: { atMost: 1 },
    },
    {
      name: 'rate ÷ rate of the reference with 50 ordered steps per commit',
      unit: '',
      rounds: each(({ system, batches }) => system.tradesPerSecond / batches.stepsPerSecond),
    },
    { name: 'trades', unit: '/s', rounds: each(({ system }) => system.tradesPerSecond) },
    { name: 'reference steps', unit: '/s', rounds: each(({ reference }) => reference.stepsPerSecond) },
    { name: 'CPU of a reference step', unit: 'µs', rounds: each(({ reference }) => reference.cpuPerStep) },
    ...budgetFigures(rounds.map(({ system }) => system.cpu)),
    { name: 'WAL of a trade', unit: 'B', rounds: perTrade(({ walBytes }) => walBytes) },
    { name: 'index entries of a trade, at most', unit: '', rounds: perTrade(({ indexEntries }) => indexEntries) },
    { name: 'messages of a trade', unit: '', rounds: perTrade(({ messages }) => messages) },
    ...databases.map((name) => ({
      name: `commits of a trade, ${name}`,
      unit: '',
      rounds: perTrade(({ commits }) => commits[name] ?? 0),
    })),
    {
      name: 'updates without index entries',
      unit: '%',
      rounds: each(({ system: { written } }) => (100 * written.hotUpdates) / Math.max(1, written.updates)),
    },
  ];
}
