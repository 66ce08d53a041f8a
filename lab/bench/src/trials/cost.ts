import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Stack } from '@saleschannel/local';
import {
  basicAuthorization,
  createFourMarkets,
  createIssuanceLine,
  type Market,
  importLines,
} from '../load/markets.ts';
import { createDriver } from '../load/closed-loop.ts';
import { createReader } from '../load/reader.ts';
import { withConnection } from '../measure/database.ts';
import { measureCpu, type CpuTimes } from '../measure/processes.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';

const READERS = 32;
const ROWS_OF_PAGE = 100;
const FIRST_SERIAL = 1n;
const MILLION = 1_000_000;
const MICROSECONDS_PER_SECOND = 1_000_000;
const BYTES_PER_GB = 1e9;

/** Totals for a number of operations. */
interface Cost {
  readonly operations: number;
  readonly cpu: CpuTimes;
  readonly walBytes: number;
  readonly diskBytes: number;
  readonly sentBytes: number;
  readonly readBytes: number;
  readonly connections: number;
}

export const cost: Scenario = {
  name: 'cost',
  describe: 'CPU seconds and bytes of a million trades, reads and imported records',
  isTrial: true,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const { options, log } = bench;
      const markets = await createFourMarkets(stack);
      const [market] = markets;
      if (!market) throw new Error('The stack has no market.');
      const driver = createDriver(stack.baseUrl, markets);
      await driver.run(options.warmup, options.unfinished);
      const trades = await measureCost(
        stack,
        async () => (await driver.run(options.trades, options.unfinished)).trades,
      );
      await driver.close();
      const costs = {
        trades,
        'reads of a trader': await measureReads(bench, stack, market, `traders/${market.buyerId}`),
        [`pages of ${ROWS_OF_PAGE} bundles`]: await measureReads(
          bench,
          stack,
          market,
          `traders/${market.sellerId}/inventory?$limit=${ROWS_OF_PAGE}`,
        ),
        'imported issuances': await measureCost(stack, () => importIssuances(stack, market, options.records)),
      };
      for (const [name, { operations }] of Object.entries(costs)) log(`${operations} ${name}`);
      return Object.entries(costs).flatMap(toFigures);
    }),
};

async function measureCost(stack: Stack, work: () => Promise<number>): Promise<Cost> {
  const before = { ...(await readServer(stack)), ...readTraffic(stack) };
  const { result: operations, cpu } = await measureCpu(stack, work);
  const after = { ...(await readServer(stack)), ...readTraffic(stack) };
  return {
    operations,
    cpu,
    walBytes: after.walBytes - before.walBytes,
    diskBytes: after.diskBytes - before.diskBytes,
    sentBytes: after.sent - before.sent,
    readBytes: after.read - before.read,
    connections: after.connections,
  };
}

async function measureReads({ options }: ScenarioContext, stack: Stack, market: Market, path: string): Promise<Cost> {
  const headers = { authorization: basicAuthorization(market.credentials) };
  const read = { path: `/saleschannel-services/v1/${path}`, headers };
  const reader = createReader(stack.baseUrl, READERS);
  try {
    await reader.during(read, 1, READERS, 200);
    return await measureCost(stack, async () => (await reader.during(read, options.seconds, READERS, 200)).reads);
  } finally {
    await reader.close();
  }
}

async function importIssuances(stack: Stack, { registry }: Market, count: number): Promise<number> {
  const lines = Array.from({ length: count }, () => createIssuanceLine(randomUUID(), FIRST_SERIAL, registry));
  await importLines(stack.baseUrl, registry.credentials, lines);
  return count;
}

interface ServerState {
  readonly walBytes: number;
  readonly diskBytes: number;
  readonly connections: number;
}

const readServer = ({ databaseAdminUrl }: Stack): Promise<ServerState> =>
  withConnection(databaseAdminUrl, async (client) => {
    const { rows } = await client.query<Record<keyof ServerState, string>>(
      `select (select wal_bytes::text from pg_stat_wal) as "walBytes",
         (select sum(pg_database_size(oid))::text from pg_database) as "diskBytes",
         (select count(*)::text from pg_stat_activity where backend_type = 'client backend') as connections`,
    );
    const [row] = rows;
    return {
      walBytes: Number(row?.walBytes),
      diskBytes: Number(row?.diskBytes),
      connections: Number(row?.connections),
    };
  });

/**
 * Bytes that the stack's processes have sent over sockets, from /proc: Node writes to sockets as to files, and the
 * services write no files. Bytes sent by PostgreSQL and RabbitMQ count as read.
 */
function readTraffic({ processes }: Pick<Stack, 'processes'>): { readonly sent: number; readonly read: number } {
  let [sent, read] = [0, 0];
  for (const { pid } of processes) {
    const text = pid === undefined ? '' : readFileSync(`/proc/${pid}/io`, 'utf8');
    sent += Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0);
    read += Number(/^rchar: (\d+)$/m.exec(text)?.[1] ?? 0);
  }
  return { sent, read };
}

function toFigures([name, { operations, cpu, ...rest }]: [string, Cost]): Figure[] {
  const perMillion = (value: number): number => (value / operations) * MILLION;
  const bytes = (what: string, value: number): Figure => ({
    name: `a million ${name}: ${what}`,
    unit: 'GB',
    rounds: [perMillion(value) / BYTES_PER_GB],
  });
  return [
    ...Object.entries(cpu).map(([process, used]) => ({
      name: `a million ${name}: CPU, ${process}`,
      unit: 's',
      rounds: [perMillion(used) / MICROSECONDS_PER_SECOND],
    })),
    bytes('WAL', rest.walBytes),
    bytes('growth of the databases', rest.diskBytes),
    bytes('sent by services', rest.sentBytes),
    bytes('read by services', rest.readBytes),
    { name: `connections during ${name}`, unit: '', rounds: [rest.connections] },
  ];
}
