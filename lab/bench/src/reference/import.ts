import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stack } from '@saleschannel/local';
import { readCpu } from '../measure/processes.ts';
import { buildAdminUrl, execute } from '../measure/database.ts';

const DATABASE = 'bench_import';

export interface CopyResult {
  readonly recordsPerSecond: number;
  /** CPU microseconds of PostgreSQL per record. */
  readonly cpuPerRecord: number;
}

interface ImportReference {
  /** COPY of the records into one table without a key. */
  copyBare(): Promise<CopyResult>;
  /** COPY of all their rows into tables with keys, references and indexes, in one transaction. */
  copyAll(): Promise<CopyResult>;
}

/** Files to copy: for each table, the query on `record` that creates its rows. */
const files = {
  record: 'select * from record',
  issuance: 'select * from record',
  bundle: `
    select row_number() over (), id, link.previous_last, link.last, link.state, link.owner_id, link.sales_channel_id
    from record cross join lateral (values
      (null, first_serial - 1, 'ROOT', null, null),
      (first_serial - 1, last_serial, 'LISTABLE', trader_id, sales_channel_id),
      (last_serial, null, 'END', null, null)
    ) as link(previous_last, last, state, owner_id, sales_channel_id)`,
  transaction: `
    select id, row_number() over (), 'ISSUANCE', 'SUCCESS', sales_channel_id, null, trader_id, account_holder_id, null,
      created_at, created_at
    from record`,
  line: `
    select id, 0, id, first_serial, last_serial, null, 3 * row_number() over () - 1 from record`,
  audit: `
    select scope, row_number() over (partition by scope), created_at, repeat(id::text, 18), sha256(id::text::bytea)
    from record cross join (values ('registry'), ('cmwrhchannel0000000000001')) as trail(scope)`,
} as const;

const allTables = ['issuance', 'bundle', 'transaction', 'line', 'audit'] as const;

/** Records that differ only in their ids, which are in random order. */
const makeRecords = (count: number): string => `
  insert into record
  select md5(n::text)::uuid, 'cmwrhfacility000000000001', 'PURO', 'PR', 'CORC100+', 'CORC100_PLUS', 'C03000000', 2025,
    '2025-01-01', '2025-06-30', '2025-09-01', null, 1, 1000000, 0, 'cmwrhholder00000000000001',
    'cmwrhchannel0000000000001', 'cmwrhtrader00000000000001', now(), 'BENCH1', 'FI', null, 'cmwrhsupplier000000000001'
  from generate_series(1, ${count}) as n`;

/** Creates the reference's database on the stack's server, and the files to copy. */
export async function prepareImportReference(stack: Stack, folder: string, records: number): Promise<ImportReference> {
  const { databasePid } = stack;
  if (databasePid === undefined) throw new Error('The measurement needs a private PostgreSQL.');
  const url = buildAdminUrl(stack, DATABASE);
  const filePath = (table: keyof typeof files): string => join(folder, `${table}.tsv`);
  const psql = async (...commands: string[]): Promise<void> => {
    const each = commands.flatMap((command) => ['-c', command]);
    await promisify(execFile)('psql', ['-X', '-q', '-1', '-v', 'ON_ERROR_STOP=1', ...each, url]);
  };
  await execute(stack.databaseAdminUrl, `create database ${DATABASE}`);
  await execute(url, readFileSync(new URL('import.sql', import.meta.url), 'utf8'), makeRecords(records));
  for (const table of Object.keys(files) as (keyof typeof files)[]) {
    await psql(`\\copy (${files[table].replaceAll(/\s+/g, ' ')}) to '${filePath(table)}'`);
  }
  const copy = async (tables: readonly (keyof typeof files)[]): Promise<CopyResult> => {
    await execute(url, `truncate ${tables.join(', ')}`, 'checkpoint');
    const before = readCpu(databasePid);
    const started = performance.now();
    await psql(...tables.map((table) => `\\copy ${table} from '${filePath(table)}'`));
    const seconds = (performance.now() - started) / 1000;
    return { recordsPerSecond: records / seconds, cpuPerRecord: (readCpu(databasePid) - before) / records };
  };
  return { copyBare: () => copy(['record']), copyAll: () => copy(allTables) };
}
