import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

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
