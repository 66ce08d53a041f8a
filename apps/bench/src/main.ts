import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort, makeTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { projectRoot, startStack, type Stack } from '@saleschannel/local';
import { cpuOf } from './cpu.ts';
import { findPgbench, measureLimit, prepareLimit } from './limit.ts';
import { createDriver, type Driver } from './load.ts';
import { audit } from './audit.ts';
import { createMarkets } from './world.ts';

/**
 * Trades settled per second, end to end (POST → task → ledger → event that a client has read), divided by what pgbench reaches with the ledger step alone on the
 * same server in the same run; and CPU time per trade and process. Limit and system take turns, so that a noisy machine hits both.
 */

const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    trades: { type: 'string', default: '15000' },
    warmup: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '4' },
    unfinished: { type: 'string', default: '1024' },
    json: { type: 'boolean', default: false },
  },
});

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;

interface Round {
  limit: number;
  system: number;
  ratio: number;
  refused: number;
  cpu: Record<string, number>;
}

const say = (line: string): void => {
  if (!args.json) process.stdout.write(`${line}\n`);
};

function processesOf(stack: Stack): Record<string, number> {
  const services = stack.processes.map(({ name, pid }) => [name, pid ?? 0] as const);
  return {
    ...Object.fromEntries(services),
    postgresql: stack.databasePid ?? 0,
    rabbitmq: stack.brokerPid ?? 0,
    load: process.pid,
  };
}

async function measureRound(
  stack: Stack,
  driver: Driver,
  pgbench: string,
  limitUrl: string,
  folder: string,
): Promise<Round> {
  const limit = await measureLimit(pgbench, limitUrl, Number(args.seconds), folder);
  const processes = processesOf(stack);
  const before = Object.entries(processes).map(([name, pid]) => [name, cpuOf(pid)] as const);
  const result = await driver.run(Number(args.trades), Number(args.unfinished));
  const own = before.map(([name, cpu]) => [name, (cpuOf(processes[name] ?? 0) - cpu) / result.trades] as const);
  const cpu = Object.fromEntries(own);
  // The load generator started everything else: its tree holds them all.
  cpu['load'] = (cpu['load'] ?? 0) - own.reduce((sum, [name, each]) => (name === 'load' ? sum : sum + each), 0);
  const system = result.trades / result.seconds;
  return { limit, system, ratio: system / limit, refused: result.refused, cpu };
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function report(rounds: Round[]): void {
  const names = Object.keys(rounds[0]?.cpu ?? {});
  const cpu = Object.fromEntries(
    names.map((name) => [name, Math.round(median(rounds.map((round) => round.cpu[name] ?? 0)))]),
  );
  const summary = {
    tradesPerSecond: Math.round(median(rounds.map((round) => round.system))),
    limitPerSecond: Math.round(median(rounds.map((round) => round.limit))),
    ratio: Number(median(rounds.map((round) => round.ratio)).toFixed(2)),
    ratios: rounds.map((round) => Number(round.ratio.toFixed(2))),
    cpuMicrosecondsPerTrade: { ...cpu, all: Object.values(cpu).reduce((sum, each) => sum + each, 0) },
  };
  if (args.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  say('');
  say(`trades settled per second    ${summary.tradesPerSecond}`);
  say(`pgbench, ledger step alone   ${summary.limitPerSecond}`);
  say(`ratio (median of rounds)     ${summary.ratio}   (${summary.ratios.join(', ')})`);
  say('CPU µs per trade');
  for (const [name, each] of Object.entries(summary.cpuMicrosecondsPerTrade))
    say(`  ${name.padEnd(18)} ${String(each).padStart(6)}`);
}

async function migrateInventory(databaseUrl: string): Promise<void> {
  const { serviceKeys } = await import('./migration-variables.ts');
  await promisify(execFile)(process.execPath, [join(projectRoot, 'apps/inventory/src/main.ts'), 'migrate'], {
    env: {
      ...process.env,
      ...serviceKeys,
      DATABASE_URL: databaseUrl,
      AMQP_URL: 'amqp://unused',
      TRADERS_ADDRESS: 'unused:1',
    },
  });
}

const pgbench = findPgbench();
const folder = await makeTemporaryFolder();
let stack: Stack | undefined;
try {
  say('a private stack of its own');
  stack = await startStack({
    folder,
    gatewayPort: await freePort(),
    idpPort: await freePort(),
    format: 'json',
    quiet: true,
    databaseUrl: undefined,
    amqpUrl: undefined,
    variables: { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' },
  });
  const limitUrl = await prepareLimit(stack.databaseAdminUrl, migrateInventory);
  const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
  say(`warming up with ${args.warmup} trades`);
  await driver.run(Number(args.warmup), Number(args.unfinished));
  await measureLimit(pgbench, limitUrl, 1, folder);
  const rounds: Round[] = [];
  for (let index = 1; index <= Number(args.rounds); index++) {
    const round = await measureRound(stack, driver, pgbench, limitUrl, folder);
    rounds.push(round);
    say(
      `round ${index}: ${Math.round(round.system)}/s against ${Math.round(round.limit)}/s, ratio ${round.ratio.toFixed(2)}${round.refused ? `, ${round.refused} refused` : ''}`,
    );
  }
  report(rounds);
  await driver.close();
  say(await audit(stack.databaseUrls));
} finally {
  await stack?.stop();
  removeFolder(folder);
}
process.exit(process.exitCode ?? 0);
