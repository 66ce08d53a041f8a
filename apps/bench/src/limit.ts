import { execFile } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { variablesOfMigration } from '@saleschannel/installation';
import { migrate, type Stack } from '@saleschannel/local';
import { Client } from 'pg';

/**
 * The limit that the system is measured against: pgbench doing the ledger step alone, one commit each, on the same
 * server and the same schema.
 */

const DATABASE = 'saleschannel_bench_limit';
const ISSUANCES = 4_096;
const CLIENTS = 8;
const THREADS = 2;

const step = `
  create or replace function bench_step(n int) returns void language plpgsql as $$
  declare
    issued uuid := md5(n::text)::uuid;
    source bundle%rowtype;
    transaction_id text := 'c' || replace(gen_random_uuid()::text, '-', '');
    bought bigint;
  begin
    select * into source from bundle where issuance_id = issued and last = 1000000 for update;
    update bundle set previous_last = source.previous_last + 1 where id = source.id;
    insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
      values (issued, source.previous_last, source.previous_last + 1, 'LISTABLE', 'buyer', 'channel')
      returning id into bought;
    insert into ledger_transaction (
      id, type, status, sales_channel_id, seller_id, buyer_id, currency, task_id, created_at, completed_at
    ) values (
      transaction_id, 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 'EUR', transaction_id,
      clock_timestamp(), clock_timestamp()
    );
    insert into transaction_line (
      transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, source_first, source_last,
      bundle_id
    ) values (
      transaction_id, 0, issued, source.previous_last + 1, source.previous_last + 1, 149.5, source.id,
      source.previous_last + 1, source.last, bought
    );
    insert into outbox (type, body) values (
      'inventory.transaction.status-changed.v1',
      '{"entries":[{"transactionId":"' || transaction_id || '","status":"SUCCESS"}]}'
    );
  end $$;`;

const rows = `
  insert into supplier (id, name, country_code) values ('s', 'Bench', 'FI');
  insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
    values ('f', 'BENCH1', 'Bench', 'FI', '[]', 's');
  insert into issuance (
    id, facility_id, facility_code, country_code, supplier_id, standard, registry, credit_type, credit_type_id,
    methodology_code, vintage,
    production_start, production_end, issuing_date, first_serial, last_serial, serial_width,
    account_holder_id, sales_channel_id, trader_id
  )
    select md5(n::text)::uuid, 'f', 'BENCH1', 'FI', 's', 'PURO', 'PR', 'CORC100+', 'CORC100_PLUS', 'C', 2025,
      now(), now(), now(), 1, 1000000, 0,
      'h', 'channel', 'seller'
    from generate_series(1, ${ISSUANCES}) n;
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
    select md5(n::text)::uuid, null, 0, 'ROOT', null, null from generate_series(1, ${ISSUANCES}) n
    union all
    select md5(n::text)::uuid, 0, 1000000, 'LISTABLE', 'seller', 'channel' from generate_series(1, ${ISSUANCES}) n
    union all
    select md5(n::text)::uuid, 1000000, null, 'END', null, null from generate_series(1, ${ISSUANCES}) n;
  analyze;`;

/** Where pgbench is installed. The embedded server has none. @throws Error that says how to get it */
export function findPgbench(): string {
  const onPath = (process.env['PATH']?.split(':') ?? []).map((folder) => join(folder, 'pgbench'));
  const found = [...onPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    'pgbench is not installed, and the measure needs it: apt-get install postgresql-15 on Debian. No server need run.',
  );
}

/** Makes a database with the ledger's schema and rows of its own. Returns its URL, with an administrator's rights. */
export async function prepareLimit({ databaseAdminUrl: adminUrl, place }: Stack): Promise<string> {
  await execute(adminUrl, `drop database if exists ${DATABASE} with (force)`, `create database ${DATABASE}`);
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  const variables = { ...variablesOfMigration('inventory', place), MIGRATION_DATABASE_URL: url.toString() };
  await migrate({ name: 'inventory', variables, format: 'json' });
  await execute(url.toString(), step, rows);
  return url.toString();
}

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ledger steps per second at eight clients, for so many seconds. */
export async function measureLimit(
  pgbench: string,
  databaseUrl: string,
  seconds: number,
  folder: string,
): Promise<number> {
  const script = join(folder, 'step.sql');
  writeFileSync(script, `\\set n random(1, ${ISSUANCES})\nselect bench_step(:n);\n`);
  const size = ['-c', String(CLIENTS), '-j', String(THREADS), '-T', String(seconds)];
  const words = ['-n', '-M', 'prepared', ...size, '-f', script, databaseUrl];
  const { stdout } = await promisify(execFile)(pgbench, words);
  const perSecond = /tps = ([\d.]+) \(without initial/.exec(stdout)?.[1];
  if (!perSecond) throw new Error(`pgbench said: ${stdout}`);
  return Number(perSecond);
}
