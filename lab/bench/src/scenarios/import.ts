import { randomUUID } from 'node:crypto';
import type { Stack } from '@saleschannel/local';
import { createDriver, type Driver } from '../load/closed-loop.ts';
import { importLines, createMarket, createIssuanceLine, type Market } from '../load/markets.ts';
import { readResident, measureCpu, cpuPerOperation, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { prepareImportReference, type CopyResult } from '../reference/import.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const ISSUANCES_TO_TRADE = 1_024;
const TRADES_AT_ONCE = 500;
const WARM_UP_PART = 0.2;
const MIB = 1024 * 1024;
const WATCHED = ['registry-import', 'inventory'] as const;

export const imports: Scenario = {
  name: 'import',
  describe: 'lines of an import, from the POST until it is COMPLETED ÷ COPY of the same records',
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const market = await createMarket(stack, ISSUANCES_TO_TRADE);
      const driver = createDriver(stack.baseUrl, [market]);
      try {
        return toFigures(await alternate(bench, stack, market, driver));
      } finally {
        await driver.close();
      }
    }),
};

interface Applied {
  readonly linesPerSecond: number;
  /** Microseconds of each process per line. */
  readonly cpu: CpuTimes;
  /** Maximum resident bytes during the first tenth of the lines, and afterwards. */
  readonly memory: Readonly<Record<string, { readonly atTenth: number; readonly atEnd: number }>>;
}

interface Round {
  readonly bare: CopyResult;
  readonly all: CopyResult;
  readonly applied: Applied;
  readonly tradesAlone: number;
  readonly tradesMeanwhile: number;
}

async function alternate({ options, folder, log }: ScenarioContext, stack: Stack, market: Market, driver: Driver) {
  const { records, warmup, trades, unfinished } = options;
  const reference = await prepareImportReference(stack, folder, records);
  log(`warming up with ${Math.ceil(records * WARM_UP_PART)} lines and ${warmup} trades`);
  await applyLines(stack, market, Math.ceil(records * WARM_UP_PART));
  await driver.run(warmup, unfinished);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const bare = await reference.copyBare();
    const applied = await applyLines(stack, market, records);
    const all = await reference.copyAll();
    const alone = await driver.run(trades, unfinished);
    const meanwhile = await tradeDuring(driver, unfinished, applyLines(stack, market, records));
    const tradesAlone = alone.trades / alone.seconds;
    rounds.push({ bare, all, applied, tradesAlone, tradesMeanwhile: meanwhile });
    log(
      `round ${number}: ${applied.linesPerSecond.toFixed(0)} lines/s against COPY ` +
        `${bare.recordsPerSecond.toFixed(0)}/s bare and ${all.recordsPerSecond.toFixed(0)}/s with keys; ` +
        `trades ${tradesAlone.toFixed(0)}/s, ${meanwhile.toFixed(0)}/s meanwhile`,
    );
  }
  return rounds;
}

/** Imports new issuances. */
async function applyLines(stack: Stack, { registry }: Market, lines: number): Promise<Applied> {
  const memory = watchMemory(stack, lines);
  const started = performance.now();
  const { cpu } = await measureCpu(stack, () =>
    importLines(stack.baseUrl, registry.credentials, newLines(registry, lines), memory.sample),
  );
  return {
    linesPerSecond: (lines * 1_000) / (performance.now() - started),
    cpu: cpuPerOperation(cpu, lines),
    memory: memory.peaks(),
  };
}

function* newLines(registry: Market['registry'], count: number): Generator<string> {
  for (let line = 0; line < count; line++) yield createIssuanceLine(randomUUID(), 1n, registry);
}

function watchMemory({ processes }: Stack, lines: number) {
  const watched = WATCHED.map((name) => {
    const pid = processes.find((each) => each.name === name)?.pid;
    if (pid === undefined) throw new Error(`${name} is not running.`);
    return { name, pid, atTenth: 0, atEnd: 0 };
  });
  return {
    sample(applied: number): void {
      for (const each of watched) {
        const part = applied * 10 <= lines ? 'atTenth' : 'atEnd';
        each[part] = Math.max(each[part], readResident(each.pid));
      }
    },
    peaks: () => Object.fromEntries(watched.map(({ name, atTenth, atEnd }) => [name, { atTenth, atEnd }])),
  };
}

/** Trades per second during other work. */
async function tradeDuring(driver: Driver, unfinished: number, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ending = work.finally(() => (isDone = true));
  // Avoid an unhandled rejection: the work is awaited at the end.
  ending.catch(() => undefined);
  let [trades, seconds] = [0, 0];
  while (!isDone) {
    const run = await driver.run(TRADES_AT_ONCE, unfinished);
    trades += run.trades;
    seconds += run.seconds;
  }
  await ending;
  return trades / seconds;
}

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  const processes = Object.keys(rounds[0]?.applied.cpu ?? {}).filter((name) => name !== 'load');
  return [
    figure(
      'rate ÷ COPY of the records into a bare table',
      '',
      ({ applied, bare }) => applied.linesPerSecond / bare.recordsPerSecond,
      { atLeast: 0.4 },
    ),
    figure(
      'rate ÷ COPY of the eight rows that each becomes, with keys and indexes',
      '',
      ({ applied, all }) => applied.linesPerSecond / all.recordsPerSecond,
      { atLeast: 0.4 },
    ),
    figure(
      'CPU of a line ÷ CPU of its eight rows by COPY',
      '',
      ({ applied, all }) => sumSystemCpu(applied.cpu) / all.cpuPerRecord,
    ),
    figure(
      'trades per second meanwhile ÷ without an import',
      '',
      ({ tradesAlone, tradesMeanwhile }) => tradesMeanwhile / tradesAlone,
      { atLeast: 0.5 },
    ),
    ...WATCHED.map((name) =>
      figure(
        `memory of ${name} at the end ÷ at a tenth`,
        '',
        ({ applied: { memory } }) => (memory[name]?.atEnd ?? 0) / (memory[name]?.atTenth ?? 1),
        { atMost: 1.2 },
      ),
    ),
    figure('lines', '/s', ({ applied }) => applied.linesPerSecond),
    figure('COPY of records, bare', '/s', ({ bare }) => bare.recordsPerSecond),
    figure('COPY of their eight rows', '/s', ({ all }) => all.recordsPerSecond),
    figure('CPU of a record by COPY, bare', 'µs', ({ bare }) => bare.cpuPerRecord),
    figure('CPU of its eight rows by COPY', 'µs', ({ all }) => all.cpuPerRecord),
    ...processes.map((name) => figure(`CPU of a line, ${name}`, 'µs', ({ applied }) => applied.cpu[name] ?? 0)),
    ...WATCHED.map((name) =>
      figure(`memory of ${name}`, 'MiB', ({ applied }) => (applied.memory[name]?.atEnd ?? 0) / MIB),
    ),
  ];
}
