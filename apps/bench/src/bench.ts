import { freePort, makeTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { startStack, type Stack } from '@saleschannel/local';
import type { BenchOptions } from './arguments.ts';
import { auditAfterwards } from './audit.ts';
import { cpuOf } from './cpu.ts';
import { findPgbench, measureLimit, prepareLimit } from './limit.ts';
import { createDriver, type Driver } from './load.ts';
import { createMarkets } from './markets.ts';
import type { Report, Round } from './report.ts';

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;

/** What a round needs. */
interface Setup {
  readonly stack: Stack;
  readonly driver: Driver;
  /** pgbench with everything but the time. */
  limit(seconds: number): Promise<number>;
}

/**
 * Measures trades per second from end to end: POST → task → ledger → event that a client has read. It divides them by
 * what pgbench reaches with the ledger step alone, on the same server in the same run. Both take turns, so that a noisy
 * machine hits both. It also measures the CPU time of each process per trade.
 * @throws Error when something does not add up at the end
 */
export async function runBench(options: BenchOptions, report: Report): Promise<void> {
  const pgbench = findPgbench();
  const folder = await makeTemporaryFolder();
  let stack: Stack | undefined;
  try {
    report.say('a private stack of its own');
    stack = await startPrivateStack(folder);
    const limitUrl = await prepareLimit(stack);
    const limit = (seconds: number): Promise<number> => measureLimit(pgbench, limitUrl, seconds, folder);
    const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
    await runRounds({ stack, driver, limit }, options, report);
    await driver.close();
    report.say(await auditAfterwards(stack.place));
  } finally {
    await stack?.stop();
    removeFolder(folder);
  }
}

const startPrivateStack = async (folder: string): Promise<Stack> =>
  startStack({
    folder,
    gatewayPort: await freePort(),
    idpPort: await freePort(),
    format: 'json',
    quiet: true,
    databaseUrl: undefined,
    amqpUrl: undefined,
    variables: { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' },
  });

async function runRounds(setup: Setup, options: BenchOptions, report: Report): Promise<void> {
  report.say(`warming up with ${options.warmup} trades`);
  await setup.driver.run(options.warmup, options.unfinished);
  await setup.limit(1);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const round = await measureRound(setup, options);
    rounds.push(round);
    report.round(number, round);
  }
  report.summary(rounds);
}

async function measureRound({ stack, driver, limit: measure }: Setup, options: BenchOptions): Promise<Round> {
  const limit = await measure(options.seconds);
  const processes = processesOf(stack);
  const before = processes.map(({ pid }) => cpuOf(pid));
  const loadBefore = cpuOf(process.pid);
  const { trades, seconds, refused } = await driver.run(options.trades, options.unfinished);
  const used = processes.map(({ name, pid }, index) => ({ name, cpu: cpuOf(pid) - (before[index] ?? 0) }));
  // The load generator started everything else: its tree holds them all.
  const load = cpuOf(process.pid) - loadBefore - used.reduce((sum, { cpu }) => sum + cpu, 0);
  const cpu = [...used, { name: 'load', cpu: load }].map((each) => [each.name, each.cpu / trades] as const);
  const system = trades / seconds;
  return { limit, system, ratio: system / limit, refused, cpu: Object.fromEntries(cpu) };
}

/** What the stack consists of, as far as it runs here. */
const processesOf = ({ processes, databasePid, brokerPid }: Stack): { name: string; pid: number }[] =>
  [...processes, { name: 'postgresql', pid: databasePid }, { name: 'rabbitmq', pid: brokerPid }].flatMap(
    ({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]),
  );
