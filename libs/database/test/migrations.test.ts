import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, execute, failureOf, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { listPending, type MigrationFile } from '../src/index.ts';

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
    entities: [],
    migrations,
  });
  await database.migrate().finally(() => database.stop());
}

async function valuesOf(text: string): Promise<unknown[]> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows.flat();
}

const recorded = (): Promise<unknown[]> => valuesOf('select name from schema_migration order by name');
const indexes = (): Promise<unknown[]> =>
  valuesOf(`select indisvalid from pg_index where indexrelid = to_regclass('entry_value')`);

test('a database lacks what it does not record, and everything where it records nothing', async () => {
  const lacking = async (): Promise<string[]> => {
    const select = async (statement: string) => (await client.query<{ name: string }>(statement)).rows;
    return (await listPending([table, index, column], select)).map(({ file }) => file);
  };
  expect(await lacking()).toEqual([table.file, index.file, column.file]);
  const unready = await openTestDatabase({ url: created.url, poolMax: 2, entities: [], migrations: [table, column] });
  expect((await failureOf(unready.start())).message).toContain(`lacks 2 migrations, the first is ${table.file}`);
  await unready.stop();
  await migrate(table);
  expect(await lacking()).toEqual([index.file, column.file]);
});

test('what cannot run in a transaction runs between what does', async () => {
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

test('an index that broke off is made anew, and nothing behind it ran before', async () => {
  const unique = { ...index, text: index.text.replace('create index', 'create unique index') };
  expect(await failureOf(migrate(table, unique, column))).toMatchObject({
    message: expect.stringContaining('could not create unique index'),
  });
  // PostgreSQL leaves it behind, and nobody uses it.
  expect(await indexes()).toEqual([false]);
  expect(await recorded()).toEqual(['Migration20260101000001_entry']);

  await execute(created.url, 'delete from entry where id > 2');
  await migrate(table, unique, column);
  expect(await indexes()).toEqual([true]);
  expect(await recorded()).toHaveLength(3);
});

test('nothing else runs outside a transaction, and no index that could not be made again', async () => {
  const outside = (text: string): MigrationFile => ({
    ...index,
    text: `-- Outside a transaction: to try it.\n${text};`,
  });
  for (const text of [column.text, 'create index entry_value on entry (value)', 'delete from entry']) {
    expect(await failureOf(migrate(outside(text)))).toMatchObject({ message: expect.stringContaining('only indexes') });
  }
  const alone = 'create index concurrently entry_value on entry (value)';
  expect(await failureOf(migrate(outside(alone)))).toMatchObject({ message: expect.stringContaining('right before') });
});
