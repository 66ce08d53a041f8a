import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { listPending, type MigrationFile } from '../src/index.ts';
import { assertSupported } from '../src/migrations.ts';

const table = {
  file: '20260101000001-entry.sql',
  text: `create table entry (id int primary key, value int);
    insert into entry select n, n % 2 from generate_series(1, 4) n`,
};
const index = {
  file: '20260101000002-index.sql',
  text: `-- Outside a transaction: entries are written all the time.
drop index concurrently if exists entry_value;
create index concurrently entry_value on entry (value);
`,
};
const column = { file: '20260101000003-column.sql', text: 'alter table entry add column more int' };

let created: TestDatabase;
let client: Client;

beforeEach(async () => {
  created = await createTestDatabase();
  client = new Client({ connectionString: created.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await created.drop();
});

async function migrate(...migrations: MigrationFile[]): Promise<void> {
  const database = await openTestDatabase({
    url: created.url,
    poolMax: 2,
    migrations,
  });
  await database.migrate().finally(() => database.stop());
}

async function selectValues(text: string): Promise<unknown[]> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows.flat();
}

const recorded = (): Promise<unknown[]> => selectValues('select name from schema_migration order by name');
const indexes = (): Promise<unknown[]> =>
  selectValues(`select indisvalid from pg_index where indexrelid = to_regclass('entry_value')`);

test('a database lacks unrecorded migrations, and all without any record', async () => {
  const listMissing = async (): Promise<string[]> => {
    const select = async (statement: string) => (await client.query<{ name: string }>(statement)).rows;
    return (await listPending([table, index, column], select)).map(({ file }) => file);
  };
  expect(await listMissing()).toEqual([table.file, index.file, column.file]);
  const unready = await openTestDatabase({ url: created.url, poolMax: 2, migrations: [table, column] });
  expect((await catchFailure(unready.start())).message).toContain(`lacks 2 migrations. The first is ${table.file}.`);
  await unready.stop();
  await migrate(table);
  expect(await listMissing()).toEqual([index.file, column.file]);
});

test('migrations outside of transactions run in order with others', async () => {
  await migrate(table, index, column);
  expect(await indexes()).toEqual([true]);
  expect(await recorded()).toEqual([
    'Migration20260101000001_entry',
    'Migration20260101000002_index',
    'Migration20260101000003_column',
  ]);
  await migrate(table, index, column);
  expect(await recorded()).toHaveLength(3);
});

test('an interrupted index is created again, before later migrations', async () => {
  const unique = { ...index, text: index.text.replace('create index', 'create unique index') };
  expect(await catchFailure(migrate(table, unique, column))).toMatchObject({
    message: expect.stringContaining('could not create unique index'),
  });
  // PostgreSQL leaves an invalid index, which it never uses.
  expect(await indexes()).toEqual([false]);
  expect(await recorded()).toEqual(['Migration20260101000001_entry']);

  await execute(created.url, 'delete from entry where id > 2');
  await migrate(table, unique, column);
  expect(await indexes()).toEqual([true]);
  expect(await recorded()).toHaveLength(3);
});

test('only repeatable index creation runs outside a transaction', async () => {
  const outside = (text: string): MigrationFile => ({
    ...index,
    text: `-- Outside a transaction: to try it.\n${text};`,
  });
  for (const text of [column.text, 'create index entry_value on entry (value)', 'delete from entry']) {
    expect(await catchFailure(migrate(outside(text)))).toMatchObject({
      message: expect.stringContaining('only indexes'),
    });
  }
  const alone = 'create index concurrently entry_value on entry (value)';
  expect(await catchFailure(migrate(outside(alone)))).toMatchObject({
    message: expect.stringContaining('right before'),
  });
});

test.each([
  [170_011, '17.11 (Debian 17.11-0+deb13u1)'],
  [160_004, '16.4'],
])('server version %i is refused', (number, version) => {
  expect(() => assertSupported(number, version)).toThrow(
    `PostgreSQL 18 or later is needed, but this server is PostgreSQL ${version}.`,
  );
});

test.each([180_000, 180_006, 190_001])('server version %i is accepted', (number) => {
  expect(() => assertSupported(number, 'this')).not.toThrow();
});
