import { join } from 'node:path';
import { databaseServices } from '@saleschannel/installation';
import { startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import type { Stack } from '@saleschannel/local';
import { openDriver } from '../load/closed-loop.ts';
import { measureCpu, sumSystemCpu } from '../measure/processes.ts';
import { readServerUse, type ServerUse } from '../measure/database.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

/** Result of one round of trades. */
interface Round {
  readonly tradesPerSecond: number;
  /** Microseconds of all processes per trade, without the load. */
  readonly cpu: number;
  /** Microseconds and bytes of log per trade, by server. */
  readonly servers: Readonly<Record<string, ServerUse>>;
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
  const driver = await openDriver(stack);
  await driver.run(options.warmup, options.unfinished);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const before = await Promise.all(servers.map(readServerUse));
    const { result, cpu } = await measureCpu(stack, () => driver.run(options.trades, options.unfinished));
    const after = await Promise.all(servers.map(readServerUse));
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

const sum = (servers: Round['servers'], of: (server: ServerUse) => number): number =>
  Object.values(servers).reduce((total, server) => total + of(server), 0);

function toFigures(together: readonly Round[], apart: readonly Round[]): Figure[] {
  const ratio = (name: string, of: (round: Round) => number): Figure =>
    createFigures(apart)(
      `${name}, own servers ÷ one server`,
      '',
      (round, index) => of(round) / of(together[index] ?? round),
    );
  return [
    ratio('trades', ({ tradesPerSecond }) => tradesPerSecond),
    ratio('CPU of a trade', ({ cpu }) => cpu),
    ratio('WAL', ({ servers }) => sum(servers, ({ walBytes }) => walBytes)),
    ...[together, apart].flatMap((rounds) => {
      const figure = createFigures(rounds);
      return Object.keys(rounds[0]?.servers ?? {}).flatMap((name) => [
        figure(`CPU of a trade, server ${name}`, 'µs', ({ servers }) => servers[name]?.cpu ?? 0),
        figure(`WAL of a trade, server ${name}`, 'B', ({ servers }) => servers[name]?.walBytes ?? 0),
      ]);
    }),
    createFigures(together)('trades, one server', '/s', ({ tradesPerSecond }) => tradesPerSecond),
    createFigures(apart)('trades, own servers', '/s', ({ tradesPerSecond }) => tradesPerSecond),
  ];
}
