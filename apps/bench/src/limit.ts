import { execFile } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** The limit that the system is measured against: pgbench doing the ledger step alone, one commit each, on the same server and the same schema. */

const DATABASE = 'saleschannel_bench_limit';
const ISSUANCES = 4_096;
const CLIENTS = 8;

const step = `
  create or replace function bench_step(n int) returns void language plpgsql as $$
  declare
    issued uuid := md5(n::text)::uuid;
    b bundle%rowtype;
    t text := 'c' || replace(gen_random_uuid()::text, '-', '');
    bought bigint;
  begin
    select * into b from bundle where issuance_id = issued and last = 1000000 for update;
    update bundle set previous_last = b.previous_last + 1 where id = b.id;
    insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
      values (issued, b.previous_last, b.previous_last + 1, 'LISTABLE', 'buyer', 'channel') returning id into bought;
    insert into ledger_transaction (id, type, status, sales_channel_id, seller_id, buyer_id, currency, task_id, created_at, completed_at)
      values (t, 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 'EUR', t, clock_timestamp(), clock_timestamp());
    insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, source_first, source_last, bundle_id)
      values (t, 0, issued, b.previous_last + 1, b.previous_last + 1, 149.5, b.id, b.previous_last + 1, b.last, bought);
    insert into outbox (type, body) values ('inventory.transaction.status-changed.v1', '{"entries":[{"transactionId":"' || t || '","status":"SUCCESS"}]}');
  end $$;`;

const world = `
  insert into supplier (id, name, country_code) values ('s', 'Bench', 'FI');
  insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id) values ('f', 'BENCH1', 'Bench', 'FI', '[]', 's');
  insert into issuance (id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start, production_end, issuing_date,
      first_serial, last_serial, serial_width, account_holder_id, sales_channel_id, trader_id)
    select md5(n::text)::uuid, 'f', 'PURO', 'PR', 'CORC100+', 'CORC100_PLUS', 'C', 2025, now(), now(), now(), 1, 1000000, 0, 'h', 'channel', 'seller'
    from generate_series(1, ${ISSUANCES}) n;
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
    select md5(n::text)::uuid, null, 0, 'ROOT', null, null from generate_series(1, ${ISSUANCES}) n
    union all select md5(n::text)::uuid, 0, 1000000, 'LISTABLE', 'seller', 'channel' from generate_series(1, ${ISSUANCES}) n
    union all select md5(n::text)::uuid, 1000000, null, 'END', null, null from generate_series(1, ${ISSUANCES}) n;
  analyze;`;

/** pgbench as installed; the embedded server has none. @throws Error that says how to get it */
export function findPgbench(): string {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const found = [...onPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find((file) => existsSync(file));
  if (!found)
    throw new Error(
      'pgbench is not installed, and the measure needs it: on Debian, apt-get install postgresql-15 (the server need not run)',
    );
  return found;
}

/** Copies the ledger's schema to a database of its own, without rows, and fills it. `inventoryUrl` is reached with the rights of `adminUrl`. */
export async function prepareLimit(adminUrl: string, migrate: (databaseUrl: string) => Promise<void>): Promise<string> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  await migrate(url.toString());
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  await client.query(step);
  await client.query(world);
  await client.end();
  return url.toString();
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
  const { stdout } = await promisify(execFile)(pgbench, [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(CLIENTS),
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    script,
    databaseUrl,
  ]);
  const tps = /tps = ([\d.]+) \(without initial/.exec(stdout)?.[1];
  if (!tps) throw new Error(`pgbench said: ${stdout}`);
  return Number(tps);
}
