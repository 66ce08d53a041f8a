import { afterAll, beforeAll, describe, expect, test, afterEach, beforeEach } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import { createTestDatabase, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import {
  isoTimestamp,
  join,
  openDatabase,
  query,
  queryFirst,
  raw,
  recordset,
  sql,
  type Database,
} from '../src/index.ts';

describe('a unit of work', () => {
  let created: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    created = await createTestDatabase();
    database = await openTestDatabase({ url: created.url, poolMax: 2, migrations: [] });
    await query(database.em(), sql`create table entry (id int)`);
  });
  afterEach(async () => {
    await database.stop();
    await created.drop();
  });

  test('a forked unit of work runs outside of the transaction, as do statements after it', async () => {
    await database.transaction(async (em) => {
      await query(em, sql`insert into entry values (1)`);
      expect(await queryFirst(em.fork(), sql`select count(*)::int as entries from entry`)).toEqual({ entries: 0 });
      return em;
    });
    const outlived = await database.transaction((em) => em);
    expect(await queryFirst(outlived, sql`select count(*)::int as entries from entry`)).toEqual({ entries: 1 });
  });
});

let created: TestDatabase;
let database: Database;

beforeAll(async () => {
  created = await createTestDatabase();
  const text = 'create table entry (id text primary key, amount numeric, at timestamptz);';
  const migrations = [{ file: '20260101000001-test.sql', text }];
  database = await openTestDatabase({ url: created.url, poolMax: 4, migrations });
  await database.migrate();
});
afterAll(async () => {
  await database.stop();
  await created.drop();
});

const odd = 'O\'Neil "\\ ? $1 :x ; -- 🌲 \n ½ {"a":1} ${x}';

describe('sql', () => {
  test('passes any values unchanged', async () => {
    expect(await queryFirst(database.em(), sql`select ${odd}::text, ${null}::text as nothing`)).toEqual({
      text: odd,
      nothing: null,
    });
  });

  test('joins fragments, each with its own values', async () => {
    const conditions = [sql`1 = ${1}::int`, sql`${'a'}::text = ${'a'}::text`];
    const statement = sql`select ${raw('2')}::int as two where ${join(conditions, ' and ')}`;
    expect(await query(database.em(), statement)).toEqual([{ two: 2 }]);
  });

  test('passes a list of texts as an array', async () => {
    const statement = sql`select count(*)::int as count from unnest(${['a', odd, '{b}']}::text[])`;
    expect(await queryFirst(database.em(), statement)).toEqual({ count: 3 });
  });
});

describe('recordset', () => {
  const columns = { id: 'text', amount: 'numeric', size: 'bigint', isNew: 'boolean', content: 'jsonb' } as const;

  test('passes rows exactly, with null for missing members', async () => {
    const large = 123456789012345678901234567890n;
    const rows = [
      { id: odd, amount: '0.000001', size: 1, isNew: true, content: { a: [odd] }, notAColumn: 1 },
      { id: null, amount: large, size: 9007199254740993n },
    ];
    const found = await query(database.em(), sql`select given.* from ${recordset('given', columns, rows)}`);
    expect(found).toEqual([
      { id: odd, amount: '0.000001', size: '1', isNew: true, content: { a: [odd] } },
      { id: null, amount: String(large), size: '9007199254740993', isNew: null, content: null },
    ]);
  });

  test('passes texts that contain array syntax', async () => {
    const texts = ['null', 'NULL', '', ' ', '{}', '{a,b}', ',', '"', '\\', '\\"', "'", '\t\n', '[1:2]={a,b}'];
    const found = await query(
      database.em(),
      sql`select * from ${recordset(
        'given',
        { text: 'text', content: 'jsonb' },
        texts.map((text) => ({ text, content: { text } })),
      )}`,
    );
    expect(found).toEqual(texts.map((text) => ({ text, content: { text } })));
  });

  test('refuses half a surrogate pair instead of changing the text', () => {
    expect(() => recordset('given', { text: 'text' }, [{ text: 'a\ud800' }])).toThrow('half a surrogate pair');
  });

  test('is empty without rows', async () => {
    expect(await query(database.em(), sql`select * from ${recordset('given', columns, [])}`)).toEqual([]);
  });
});

test('timestamps are ISO 8601 in UTC with milliseconds', async () => {
  const statement = sql`select ${isoTimestamp('moment.at')} as at
    from (select '2025-03-04 12:02:11.3187+02'::timestamptz as at) as moment`;
  expect(await queryFirst(database.em(), statement)).toEqual({ at: '2025-03-04T10:02:11.318Z' });
});

describe('a transaction', () => {
  const insert = (id: string) => sql`insert into entry (id) values (${id})`;
  const count = async (id: string): Promise<number> =>
    (await query(database.em(), sql`select from entry where id = ${id}`)).length;

  test('is rolled back when the work throws', async () => {
    const work = database.transaction(async (em) => {
      await query(em, insert('rolled back'));
      throw new Error('no');
    });
    expect((await catchFailure(work)).message).toBe('no');
    expect(await count('rolled back')).toBe(0);
  });

  test('runs again from the start after a deadlock', async () => {
    await query(database.em(), insert('one'));
    await query(database.em(), insert('two'));
    const lock = (id: string) => sql`select from entry where id = ${id} for update`;
    let runs = 0;
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const lockBoth = (first: string, second: string, mine: 0 | 1): Promise<void> =>
      database.transaction(async (em) => {
        runs += 1;
        await query(em, lock(first));
        both[mine].resolve();
        // Each locks its first row before it asks for the other's.
        await Promise.all(both.map(({ promise }) => promise));
        await query(em, lock(second));
      });
    await Promise.all([lockBoth('one', 'two', 0), lockBoth('two', 'one', 1)]);
    // On a slow machine the two may deadlock again.
    expect(runs).toBeGreaterThanOrEqual(3);
  });
});

test('an unreachable database is unavailable', async () => {
  const away = await openDatabase({
    url: 'postgresql://nobody@127.0.0.1:1/nothing',
    poolMax: 2,
    logger: silentLogger,
    migrations: [],
  });
  expect(await catchFailure(query(away.em(), sql`select 1`))).toMatchObject({ code: 'unavailable' });
  await away.stop();
});
