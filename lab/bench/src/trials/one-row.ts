import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@saleschannel/local-backends';
import type { Client } from 'pg';
import { withConnection } from '../measure/database.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';

/** A statement with one row, as services write it. `run` is the number of the run, `ids` is the result of `scene`. */
interface OneRowStatement {
  readonly service: 'inventory' | 'tasks' | 'events';
  readonly name: string;
  /** Element type of `ids`. */
  readonly idType: 'bigint' | 'uuid' | 'text';
  /** Statements before the runs. The last one selects one array of ids. */
  readonly scene: readonly string[];
  readonly statement: string;
}

/** Issuances owned entirely by one seller, created once per database. */
const LEDGER = `
  insert into supplier (id, name, country_code) values ('s', 's', 'DE');
  insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
  values ('f', 'ABCDEF', 'f', 'DE', '[]', 's');
  insert into issuance (
    id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start,
    production_end, issuing_date, first_serial, last_serial, serial_width, account_holder_id, sales_channel_id,
    trader_id, facility_code, country_code, supplier_id
  )
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'f', 's', 'r', 'c', 'c', 'm', 2024, now(), now(),
    now(), 1, 1000000, 0, 'holder', 'channel', 'seller', 'ABCDEF', 'DE', 's'
  from generate_series(1, 2000) as n;
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  select id, null::numeric, 0, 'ROOT', null, null from issuance
  union all select id, 1000000, null, 'END', null, null from issuance
  union all select id, 0, 1000000, 'LISTABLE', 'seller', 'channel' from issuance;
  analyze`;

const BUNDLES = 'select array_agg(id order by id) from bundle where owner_id = $$seller$$';
const ISSUANCES = 'select array_agg(issuance_id order by id) from bundle where owner_id = $$seller$$';

const updateStatement = (previousLast: string, owner: string): string => `
  update bundle set previous_last = changed."previousLast", state = changed.state, owner_id = changed."ownerId",
    sales_channel_id = changed."salesChannelId"
  from unnest(array[ids[run]], array[${previousLast}::numeric], array['LISTABLE'], array['${owner}'], array['channel'])
    as changed(id, "previousLast", state, "ownerId", "salesChannelId")
  where bundle.id = changed.id`;

const TASKS = `
  insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
  select 't' || n, 'channel', 'TRADE', 'key' || n, 'f', 'seller', '[]', 'waits' from generate_series(1, 200) as n`;

const oneRowStatements: readonly OneRowStatement[] = [
  {
    service: 'inventory',
    name: 'update bundle, a part is taken',
    idType: 'bigint',
    scene: [BUNDLES],
    statement: updateStatement('10', 'seller'),
  },
  {
    service: 'inventory',
    name: 'update bundle, all is taken',
    idType: 'bigint',
    scene: [BUNDLES],
    statement: updateStatement('0', 'buyer'),
  },
  {
    service: 'inventory',
    name: 'insert bundle',
    idType: 'uuid',
    scene: [ISSUANCES],
    statement: `
      insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
      values (ids[run], 1, 10, 'LISTABLE', 'buyer', 'channel')`,
  },
  {
    service: 'inventory',
    name: 'insert ledger_transaction',
    idType: 'uuid',
    scene: [ISSUANCES],
    statement: `
      insert into ledger_transaction (
        id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, currency, task_id, requested_by,
        requested_with_key, created_at, completed_at
      )
      values ('x' || run, 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 'holder', 'EUR', 't' || run, 'user', 'key',
        now(), now())`,
  },
  {
    service: 'inventory',
    name: 'insert transaction_line',
    idType: 'bigint',
    scene: [
      `insert into ledger_transaction (
         id, type, status, sales_channel_id, seller_id, buyer_id, task_id, created_at, completed_at
       ) values ('x', 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 't', now(), now())`,
      BUNDLES,
    ],
    statement: `
      insert into transaction_line (
        transaction_id, ordinal, issuance_id, first, last, unit_price, bundle_id, source_bundle_id, source_first,
        source_last
      )
      select 'x', run, bundle.issuance_id, 1, 1000000, 1.5, id, id, 1, 1000000 from bundle where id = ids[run]`,
  },
  {
    service: 'tasks',
    name: 'insert task',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `
      insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
      values ('t' || run, 'channel', 'TRADE', 'key' || run, 'f', 'seller', '[]', 'waits')`,
  },
  {
    service: 'tasks',
    name: 'insert waiting_task',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `insert into waiting_task (sales_channel_id, task_id, request) values ('channel', 't' || run, '{}')`,
  },
  {
    service: 'tasks',
    name: 'update task, its outcome',
    idType: 'text',
    scene: [TASKS, 'select array_agg($$t$$ || n) from generate_series(1, 200) as n'],
    statement: `
      update task set status = 'SUCCESS', message = 'done', transaction_id = 'x' || run, ledger_sequence = run,
        updated_at = now()
      where id = ids[run] and sales_channel_id = 'channel' and status = 'PENDING'`,
  },
  {
    service: 'tasks',
    name: 'insert ledger_place',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `insert into ledger_place (sales_channel_id, sequence, task_id) values ('channel', run, 't' || run)`,
  },
  {
    service: 'events',
    name: 'insert event',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `
      insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
      values ('channel', timestamptz '2026-01-01 00:00Z' + run * interval '1 ms', 'e' || run,
        'TRANSACTION_STATUS_CHANGE', now(), 'x' || run, 'SUCCESS', run)`,
  },
];

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
