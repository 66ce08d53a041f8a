import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, describe, afterAll, beforeAll } from '@jest/globals';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { listPending, type MigrationFile } from '../src/index.ts';
import { assertSupported } from '../src/migrations.ts';

describe('the rules of migrations', () => {
  const tool = resolve(import.meta.dirname, '../../../tools/lint-migrations.ts');
  const OUTSIDE = '-- Outside a transaction: entries are written all the time.\n';

  /** Migrations by description, with the rules that they break. */
  const migrations: Readonly<Record<string, readonly [text: string, rules: readonly string[]]>> = {
    'a table with its index': ['create table other (a int);\ncreate index other_a on other (a);', []],
    'a nullable column': ['alter table entry add column a text;', []],
    'a constraint validated later': ['alter table entry add constraint c check (a > 0) not valid;', []],
    'an index of an existing table': ['create index entry_a on entry (a);', ['require-concurrent-index-creation']],
    'the same, concurrently in a transaction': [
      'alter table entry add column b text;\ncreate index concurrently entry_a on entry (a);',
      ['ban-concurrent-index-creation-in-transaction'],
    ],
    'the same, outside of a transaction': [
      `${OUTSIDE}drop index concurrently if exists entry_a;\ncreate index concurrently entry_a on entry (a);`,
      [],
    ],
    'a required column': ['alter table entry add column a text not null;', ['adding-required-field']],
    'a column that becomes required': ['alter table entry alter column a set not null;', ['adding-not-nullable-field']],
    'a default that rewrites the table': [
      'alter table entry add column a text default gen_random_uuid()::text;',
      ['adding-field-with-default'],
    ],
    'another type': ['alter table entry alter column a type bigint;', ['changing-column-type']],
    'a dropped column': ['alter table entry drop column a;', ['ban-drop-column']],
    'a dropped table': ['drop table entry;', ['ban-drop-table']],
    'a renamed column': ['alter table entry rename column a to b;', ['renaming-column']],
    'a renamed table': ['alter table entry rename to other;', ['renaming-table']],
    'a constraint that scans the table': [
      'alter table entry add constraint c check (a > 0);',
      ['constraint-missing-not-valid'],
    ],
    'a reference that scans both tables': [
      'alter table entry add constraint r foreign key (a) references other;',
      ['adding-foreign-key-constraint', 'constraint-missing-not-valid'],
    ],
    'a unique constraint': [
      'alter table entry add constraint u unique (a);',
      ['constraint-missing-not-valid', 'disallowed-unique-constraint'],
    ],
    'an exception with a reason': [
      '-- No release has read it since 1.4.\n-- squawk-ignore ban-drop-column\nalter table entry drop column a;',
      [],
    ],
    'an exception without one': [
      'select 1;\n-- squawk-ignore ban-drop-column\nalter table entry drop column a;',
      ['add a comment with the reason above the exception'],
    ],
  };

  let folder: string;
  let output: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    const files = Object.entries(migrations).map(([, [text]], index) => {
      const file = join(folder, `${index}.sql`);
      writeFileSync(file, `${text}\n`);
      return file;
    });
    const checking = promisify(execFile)(process.execPath, [tool, ...files]);
    ({ stdout: output } = await checking.catch((error: { stdout: string }) => error));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(Object.keys(migrations).map((name, index) => [name, index] as const))('%s', (name, index) => {
    const start = `${join(folder, `${index}.sql`)}:`;
    const faults = output.split('\n').filter((line) => line.startsWith(start));
    const found = faults.map((fault) => /^\d+: ([^:]+)/.exec(fault.slice(start.length))?.[1]);
    expect(found.toSorted()).toEqual(migrations[name]?.[1]);
  });

  test('unreleased migrations follow the rules', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [tool]);
    expect(stdout).toMatch(/^\d+ migrations checked, 0 faults/);
  });
});

describe('migrations of a database', () => {
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
});
