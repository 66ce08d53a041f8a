import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import { Client } from 'pg';
import { execute, readServerUse, withConnection, type ServerUse } from '../measure/database.ts';
import { median } from '../measure/statistics.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

/** Rows that a transfer of one certificate writes in one shard of the ledger. */
const SCHEMA = [
  'create table bundle (issuance int, first bigint, last bigint, owner text, primary key (issuance, last))',
  'create table line (id bigint generated always as identity primary key, issuance int, first bigint, last bigint)',
  'insert into bundle select issuance, 1, 1000000, $$seller$$ from generate_series(1, 1000) as issuance',
];
const ISSUANCES = 1_000;
const CLIENTS = 8;
const MS = 1_000;

/** Ways to commit a transfer of certificates of two issuances, with the number of servers. */
const ways = {
  /** Both on one server, as today. */
  'one commit': 1,
  /** One on each of two servers with independent commits: the cost of two transfers. */
  'a commit on each': 2,
  /** One on each, atomically: prepared on both, then committed on both. */
  'two phases': 2,
} as const;

type Way = keyof typeof ways;

interface Outcome {
  readonly perSecond: number;
  /** Microseconds of all servers. */
  readonly cpu: number;
  readonly walBytes: number;
  readonly medianMs: number;
}

export const twoPhase: Scenario = {
  name: 'two-phase',
  describe: 'a transfer over two servers by two-phase commit ÷ the same in one commit on one server',
  isTrial: true,
  async run(bench) {
    const servers = await startServers(bench);
    try {
      const rounds: Record<Way, Outcome>[] = [];
      for (let number = 1; number <= bench.options.rounds; number++) {
        const round = {} as Record<Way, Outcome>;
        for (const way of Object.keys(ways) as Way[]) round[way] = await measure(bench, servers, way);
        rounds.push(round);
        bench.log(`round ${number}: ${Object.entries(round).map(formatOutcome).join('; ')}`);
      }
      await assertNothingLeft(servers);
      return toFigures(rounds);
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

const formatOutcome = ([way, { perSecond, cpu, walBytes, medianMs }]: [string, Outcome]): string =>
  `${way} ${perSecond.toFixed(0)}/s, ${cpu.toFixed(0)} µs, ${walBytes.toFixed(0)} B, ${medianMs.toFixed(1)} ms`;

async function startServers({ folder, log }: ScenarioContext): Promise<RunningPostgres[]> {
  const servers: RunningPostgres[] = [];
  for (const name of ['left', 'right']) {
    const server = await startPostgres({ dataDirectory: join(folder, name), log });
    servers.push(server);
    // Off by default, because an abandoned prepared transaction keeps its locks forever.
    await execute(server.url, ...SCHEMA, `alter system set max_prepared_transactions = ${CLIENTS * 2}`);
  }
  for (const server of servers.splice(0)) {
    await server.stop();
    const name = servers.length === 0 ? 'left' : 'right';
    servers.push(await startPostgres({ dataDirectory: join(folder, name), port: server.port, log }));
  }
  return servers;
}

async function measure({ options }: ScenarioContext, servers: readonly RunningPostgres[], way: Way): Promise<Outcome> {
  const used = servers.slice(0, ways[way]);
  const before = await Promise.all(used.map(readServerUse));
  const started = performance.now();
  const times = (
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => transferFor(options.seconds * MS, used, way, client)),
    )
  ).flat();
  const seconds = (performance.now() - started) / MS;
  const after = await Promise.all(used.map(readServerUse));
  const grown = (of: keyof ServerUse): number =>
    after.reduce((sum, each, index) => sum + each[of] - (before[index]?.[of] ?? 0), 0) / times.length;
  return {
    perSecond: times.length / seconds,
    cpu: grown('cpu'),
    walBytes: grown('walBytes'),
    medianMs: median(times),
  };
}

/** Transfers one certificate of each of two issuances repeatedly, as one client. Returns the duration of each. */
async function transferFor(ms: number, servers: readonly RunningPostgres[], way: Way, client: number) {
  const sessions = await Promise.all(
    servers.map(async ({ url }) => {
      const session = new Client({ connectionString: url });
      await session.connect();
      return session;
    }),
  );
  const [left, right = left] = sessions;
  if (!left || !right) throw new Error('Two servers are required.');
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const startedAt = performance.now();
    const name = `t-${client}-${times.length}-${startedAt}`;
    await Promise.all(sessions.map((session) => session.query('begin')));
    // In a fixed order, as the ledger locks issuances.
    await take(left, client);
    await take(right, client + CLIENTS);
    if (way === 'two phases') {
      await Promise.all(sessions.map((session) => session.query(`prepare transaction '${name}'`)));
      // Here a coordinator would record its decision durably: one more commit, on one server.
      await Promise.all(sessions.map((session) => session.query(`commit prepared '${name}'`)));
    } else await Promise.all(sessions.map((session) => session.query('commit')));
    times.push(performance.now() - startedAt);
  }
  await Promise.all(sessions.map((session) => session.end()));
  return times;
}

const shrink = `
  update bundle set first = first + 1 where issuance = $1 and last = 1000000 returning first - 1 as serial`;
const give = `insert into bundle (issuance, first, last, owner) values ($1, $2::bigint, -$2::bigint, 'buyer')`;
const note = `insert into line (issuance, first, last) values ($1, $2::bigint, $2::bigint)`;

async function take(session: Client, offset: number): Promise<void> {
  const issuance = 1 + (offset % ISSUANCES);
  const { rows } = await session.query<{ serial: string }>({
    name: 'shrink',
    text: shrink,
    values: [issuance],
  });
  const serial = rows[0]?.serial;
  await session.query({ name: 'give', text: give, values: [issuance, serial] });
  await session.query({ name: 'note', text: note, values: [issuance, serial] });
}

/** @throws Error if a prepared transaction is left on a server */
async function assertNothingLeft(servers: readonly RunningPostgres[]): Promise<void> {
  for (const { url } of servers) {
    const { rows } = await withConnection(url, (client) => client.query('select 1 from pg_prepared_xacts'));
    if (rows.length > 0) throw new Error('A prepared transaction is left.');
  }
}

function toFigures(rounds: readonly Record<Way, Outcome>[]): Figure[] {
  const figure = createFigures(rounds);
  const ratio = (name: string, of: keyof Outcome, to: Way = 'one commit'): Figure =>
    figure(`${name}, two phases ÷ ${to}`, '', (round) => round['two phases'][of] / round[to][of]);
  return [
    ratio('CPU', 'cpu'),
    ratio('CPU', 'cpu', 'a commit on each'),
    ratio('time', 'medianMs'),
    ratio('WAL', 'walBytes'),
    ...(Object.keys(ways) as Way[]).flatMap((way) => [
      figure(`transfers, ${way}`, '/s', (round) => round[way].perSecond),
      figure(`CPU of a transfer, ${way}`, 'µs', (round) => round[way].cpu),
      figure(`WAL of a transfer, ${way}`, 'B', (round) => round[way].walBytes),
      figure(`median, ${way}`, 'ms', (round) => round[way].medianMs),
    ]),
  ];
}
