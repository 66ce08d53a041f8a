import { join } from 'node:path';
import { databaseServices } from '@saleschannel/installation';
import { startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import type { Stack } from '@saleschannel/local';
import { createDriver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { readCpu, measureCpu, sumSystemCpu } from '../measure/processes.ts';
import { withConnection } from '../measure/database.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';

const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;

/** Result of one round of trades. */
interface Round {
  readonly tradesPerSecond: number;
  /** Microseconds of all processes per trade, without the load. */
  readonly cpu: number;
  /** Microseconds and bytes of log per trade, by server. */
  readonly servers: Readonly<Record<string, { readonly cpu: number; readonly walBytes: number }>>;
}

interface Server {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

export const ownServers: Scenario = {
  name: 'own-servers',
  describe: 'trades with a PostgreSQL server per service ÷ with a shared one',
  isTrial: true,
  async run(bench) {
    const together = await bench.withStack({ variables: UNLIMITED }, (stack) =>
      measure(bench, stack, [{ name: 'all', url: stack.databaseAdminUrl, pid: Number(stack.databasePid) }]),
    );
    const servers = await startServers(bench);
    try {
      const databaseUrls = Object.fromEntries(servers.map(({ name, url }) => [name, url]));
      const apart = await bench.withStack({ variables: UNLIMITED, databaseUrls }, (stack) =>
        measure(bench, stack, servers),
      );
      return toFigures(together, apart);
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

async function startServers({ folder, log }: ScenarioContext): Promise<(Server & Pick<RunningPostgres, 'stop'>)[]> {
  const servers: (Server & Pick<RunningPostgres, 'stop'>)[] = [];
  for (const name of databaseServices) {
    const { url, pid, stop } = await startPostgres({ dataDirectory: join(folder, name), log });
    servers.push({ name, url, pid, stop });
  }
  log(`${servers.length} servers`);
  return servers;
}

async function measure({ options, log }: ScenarioContext, stack: Stack, servers: readonly Server[]): Promise<Round[]> {
  const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
  await driver.run(options.warmup, options.unfinished);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const before = await Promise.all(servers.map(readServer));
    const { result, cpu } = await measureCpu(stack, () => driver.run(options.trades, options.unfinished));
    const after = await Promise.all(servers.map(readServer));
    const used = servers.map(({ name }, index) => [
      name,
      {
        cpu: ((after[index]?.cpu ?? 0) - (before[index]?.cpu ?? 0)) / result.trades,
        walBytes: ((after[index]?.walBytes ?? 0) - (before[index]?.walBytes ?? 0)) / result.trades,
      },
    ]);
    const byServer = Object.fromEntries(used) as Round['servers'];
    // The stack already counts its private server.
    const given = stack.databasePid === undefined ? sum(byServer, ({ cpu: each }) => each) : 0;
    const round = {
      tradesPerSecond: result.trades / result.seconds,
      cpu: sumSystemCpu(cpu) / result.trades + given,
      servers: byServer,
    };
    rounds.push(round);
    log(
      `round ${number}, ${servers.length} servers: ${round.tradesPerSecond.toFixed(0)}/s, ${round.cpu.toFixed(0)} µs`,
    );
  }
  await driver.close();
  return rounds;
}

const readServer = async ({ url, pid }: Server): Promise<{ readonly cpu: number; readonly walBytes: number }> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select wal_bytes::text as bytes from pg_stat_wal');
    return { cpu: readCpu(pid), walBytes: Number(rows[0]?.bytes) };
  });

const sum = (servers: Round['servers'], of: (server: Round['servers'][string]) => number): number =>
  Object.values(servers).reduce((total, server) => total + of(server), 0);

function toFigures(together: readonly Round[], apart: readonly Round[]): Figure[] {
  const ratio = (of: (round: Round) => number): number[] =>
    apart.map((round, index) => of(round) / of(together[index] ?? round));
  return [
    { name: 'trades, own servers ÷ one server', unit: '', rounds: ratio(({ tradesPerSecond }) => tradesPerSecond) },
    { name: 'CPU of a trade, own servers ÷ one server', unit: '', rounds: ratio(({ cpu }) => cpu) },
    {
      name: 'WAL, own servers ÷ one server',
      unit: '',
      rounds: ratio(({ servers }) => sum(servers, (s) => s.walBytes)),
    },
    ...[together, apart].flatMap((rounds) =>
      Object.keys(rounds[0]?.servers ?? {}).flatMap((name) => [
        { name: `CPU of a trade, server ${name}`, unit: 'µs', rounds: rounds.map((r) => r.servers[name]?.cpu ?? 0) },
        {
          name: `WAL of a trade, server ${name}`,
          unit: 'B',
          rounds: rounds.map((r) => r.servers[name]?.walBytes ?? 0),
        },
      ]),
    ),
    { name: 'trades, one server', unit: '/s', rounds: together.map(({ tradesPerSecond }) => tradesPerSecond) },
    { name: 'trades, own servers', unit: '/s', rounds: apart.map(({ tradesPerSecond }) => tradesPerSecond) },
  ];
}
