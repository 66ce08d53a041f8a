import { join } from 'node:path';
import { databaseServices } from '@saleschannel/installation';
import { copyForStandby, startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import type { Stack } from '@saleschannel/local';
import { basicAuthorization, createMarket } from '../load/markets.ts';
import { createDriver } from '../load/closed-loop.ts';
import { createReader, type Read, type Reader } from '../load/reader.ts';
import { readCpu, measureCpu } from '../measure/processes.ts';
import { buildAdminUrl, withConnection } from '../measure/database.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

const ISSUANCES = 2_000;
const ROWS_OF_PAGE = 500;
const READERS = 8;
const LEDGER = 'saleschannel_inventory';

/** Microseconds per page, and the share of pages that the standby answered. */
interface Round {
  readonly primary: number;
  readonly standby: number;
  readonly inventory: number;
  readonly perSecond: number;
  readonly part: number;
}

type Servers = Readonly<Record<'primary' | 'standby', RunningPostgres>>;

export const standby: Scenario = {
  name: 'standby',
  describe: `pages of ${ROWS_OF_PAGE} bundles from a standby ÷ from the primary, alone and beside trades`,
  isTrial: true,
  async run(bench) {
    const without = await withServers(bench, 'without', (servers) => measureAll(bench, servers, {}));
    const beside = await withServers(bench, 'with', (servers) => {
      const { host, port } = servers.standby;
      return measureAll(bench, servers, { DATABASE_READ_ADDRESS: `${host}:${port}` });
    });
    return toFigures(without, beside);
  },
};

interface Measured {
  readonly alone: Round[];
  readonly besideTrades: Round[];
}

async function withServers<T>({ folder, log }: ScenarioContext, name: string, work: (servers: Servers) => Promise<T>) {
  const [primaryDirectory, dataDirectory] = [join(folder, `${name}-primary`), join(folder, `${name}-standby`)];
  const primary = await startPostgres({ dataDirectory: primaryDirectory, log });
  await copyForStandby({ primaryUrl: primary.url, primaryDirectory, dataDirectory });
  const copy = await startPostgres({ dataDirectory, log });
  try {
    return await work({ primary, standby: copy });
  } finally {
    await copy.stop();
    await primary.stop();
  }
}

const measureAll = (bench: ScenarioContext, servers: Servers, variables: Record<string, string>): Promise<Measured> => {
  const databaseUrls = Object.fromEntries(databaseServices.map((service) => [service, servers.primary.url]));
  return bench.withStack({ variables: { ...UNLIMITED, ...variables }, databaseUrls }, async (stack) => {
    const { rounds, trades, warmup, unfinished, seconds } = bench.options;
    const market = await createMarket(stack, ISSUANCES);
    const driver = createDriver(stack.baseUrl, [market]);
    await driver.run(warmup, unfinished);
    const read = {
      path: `/saleschannel-services/v1/traders/${market.sellerId}/inventory?$limit=${ROWS_OF_PAGE}`,
      headers: { authorization: basicAuthorization(market.credentials) },
    };
    const reader = createReader(stack.baseUrl, READERS);
    const measured: Measured = { alone: [], besideTrades: [] };
    for (let number = 1; number <= rounds; number++) {
      measured.alone.push(await measure(stack, servers, reader, read, seconds));
      const trading = driver.run(trades, unfinished);
      measured.besideTrades.push(await measure(stack, servers, reader, read, seconds));
      await trading;
      bench.log(`round ${number}: ${JSON.stringify([measured.alone.at(-1), measured.besideTrades.at(-1)])}`);
    }
    await reader.close();
    await driver.close();
    return measured;
  });
};

async function measure(stack: Stack, servers: Servers, reader: Reader, read: Read, seconds: number): Promise<Round> {
  const readCounters = async () => ({
    primary: readCpu(servers.primary.pid),
    standby: readCpu(servers.standby.pid),
    ended: await countEnded(servers.standby),
  });
  const before = await readCounters();
  const { result, cpu } = await measureCpu(stack, () => reader.during(read, seconds, READERS, 200));
  const after = await readCounters();
  return {
    primary: (after.primary - before.primary) / result.reads,
    standby: (after.standby - before.standby) / result.reads,
    inventory: (cpu['inventory'] ?? 0) / result.reads,
    perSecond: result.perSecond,
    part: (after.ended - before.ended) / result.reads,
  };
}

/** Transactions that ended in the ledger's database on the server. */
const countEnded = ({ url }: RunningPostgres): Promise<number> =>
  withConnection(buildAdminUrl({ databaseAdminUrl: url }, LEDGER), async (client) => {
    const { rows } = await client.query<{ ended: string }>(
      'select xact_commit::text as ended from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.ended);
  });

function toFigures(without: Measured, beside: Measured): Figure[] {
  const ratio = (name: string, key: keyof Measured): Figure =>
    createFigures(beside[key])(name, '', (round, index) => round.primary / (without[key][index] ?? round).primary);
  const each = (name: string, rounds: readonly Round[]): Figure[] => {
    const figure = createFigures(rounds);
    return [
      figure(`${name}: CPU of a page, primary`, 'µs', ({ primary }) => primary),
      figure(`${name}: CPU of a page, standby`, 'µs', (round) => round.standby),
      figure(`${name}: CPU of a page, inventory`, 'µs', ({ inventory }) => inventory),
      figure(`${name}: pages`, '/s', ({ perSecond }) => perSecond),
      figure(`${name}: part of the standby`, '%', ({ part }) => 100 * part),
    ];
  };
  return [
    ratio('CPU of the primary for a page, with ÷ without', 'alone'),
    ratio('the same beside trades', 'besideTrades'),
    ...each('without', without.alone),
    ...each('with', beside.alone),
    ...each('with, beside trades', beside.besideTrades),
  ];
}
