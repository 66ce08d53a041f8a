import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@saleschannel/local-backends';
import type { Client } from 'pg';
import { withConnection } from '../measure/database.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';
import { LEDGER, oneRowStatements, type OneRowStatement } from './one-row-statements.ts';

const APPS = join(import.meta.dirname, '../../..');
/** First of the migrations to compare. */
const SINCE = '20261125190000';
const SERVICES = ['inventory', 'tasks', 'events'] as const;
const SCHEMAS = ['before', 'after'] as const;
type SchemaName = (typeof SCHEMAS)[number];

/** The two schemas alternate, so that both run under the same conditions. */
const TURNS = 20;
const RUNS = 60;
/** Runs in which PostgreSQL plans and compiles. */
const RUNS_TO_WARM_UP = 10;

export const oneRow: Scenario = {
  name: 'one-row',
  describe: 'microseconds of PostgreSQL for a statement with one row, minima of many runs, on two schemas',
  isTrial: true,
  async run(bench) {
    const server = await startPostgres({ dataDirectory: join(bench.folder, 'rows'), log: bench.log, durable: false });
    try {
      for (const service of SERVICES) for (const schema of SCHEMAS) await makeDatabase(server.url, service, schema);
      const figures: Figure[] = [];
      for (const statement of oneRowStatements) figures.push(...(await measure(bench, server.url, statement)));
      return figures;
    } finally {
      await server.stop();
    }
  },
};

const databaseUrl = (serverUrl: string, service: string, schema: SchemaName): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${service}_${schema}` }).toString();

async function makeDatabase(serverUrl: string, service: OneRowStatement['service'], schema: SchemaName): Promise<void> {
  const folder = join(APPS, service, 'src/store/migrations');
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && (schema === 'after' || file < SINCE));
  await withConnection(serverUrl, (client) => client.query(`create database ${service}_${schema}`));
  await withConnection(databaseUrl(serverUrl, service, schema), async (client) => {
    for (const file of files.toSorted()) await migrate(client, readFileSync(join(folder, file), 'utf8'));
    if (service === 'inventory') await client.query(LEDGER);
  });
}

async function migrate(client: Client, text: string): Promise<void> {
  if (!text.startsWith('-- Outside a transaction')) return void (await client.query(text));
  for (const statement of text.replaceAll(/^ *--.*$/gm, '').split(';'))
    if (statement.trim() !== '') await client.query(statement);
}

async function measure({ options, log }: ScenarioContext, serverUrl: string, row: OneRowStatement): Promise<Figure[]> {
  const rounds: Record<SchemaName, number[]> = { before: [], after: [] };
  for (let round = 1; round <= options.rounds; round++) {
    const best: Record<SchemaName, number> = { before: Infinity, after: Infinity };
    for (let turn = 1; turn <= TURNS; turn++) {
      for (const schema of SCHEMAS) {
        const least = await withConnection(databaseUrl(serverUrl, row.service, schema), (client) =>
          measureMinimum(client, row),
        );
        best[schema] = Math.min(best[schema], least);
      }
    }
    for (const schema of SCHEMAS) rounds[schema].push(best[schema]);
  }
  log(
    `${row.name}: ${rounds.before.map(Math.round).join(', ')} before, ${rounds.after.map(Math.round).join(', ')} after`,
  );
  return SCHEMAS.map((schema) => ({ name: `${row.name}, ${schema}`, unit: 'us', rounds: rounds[schema] }));
}

/** Runs inside the server to exclude round trips, and rolls back so that every turn has the same rows. */
async function measureMinimum(client: Client, { idType, scene, statement }: OneRowStatement): Promise<number> {
  const [select = '', ...before] = scene.toReversed();
  await client.query('begin');
  try {
    await client.query('set local plan_cache_mode = force_generic_plan');
    for (const each of before.toReversed()) await client.query(each);
    await client.query(`create function pg_temp.best_of_runs() returns float language plpgsql as $body$
      declare
        ids ${idType}[] := (${select});
        began timestamptz;
        took float;
        best float := 1e9;
      begin
        for run in 1..${RUNS} loop
          began := clock_timestamp();
          ${statement};
          took := extract(epoch from clock_timestamp() - began) * 1e6;
          if run > ${RUNS_TO_WARM_UP} then best := least(took, best); end if;
        end loop;
        return best;
      end $body$`);
    const { rows } = await client.query<{ best: number }>('select pg_temp.best_of_runs() as best');
    return Number(rows[0]?.best);
  } finally {
    await client.query('rollback');
  }
}
