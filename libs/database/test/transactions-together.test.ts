import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  eventually,
  catchFailure,
  openTestDatabase,
  type TestDatabase,
} from '@saleschannel/testing';
import { createConnection, query, send, sql, type Database } from '../src/index.ts';

const migrations = [
  {
    file: '20260101000001-test.sql',
    text: `create table entry (id int primary key, other int references entry (id) deferrable initially deferred);`,
  },
];
const insert = (id: number) => sql`insert into entry (id) values (${id})`;
const all = sql`select id from entry order by id`;

let created: TestDatabase;
let database: Database;

beforeAll(async () => {
  created = await createTestDatabase();
  database = await openTestDatabase({
    url: created.url,
    poolMax: 2,
    migrations,
  });
  await database.migrate();
});

beforeEach(() => query(database.em(), sql`delete from entry`));

afterAll(async () => {
  await database.stop();
  await created.drop();
});

describe('statements of one turn', () => {
  test('run in order, each seeing the effects of those before', async () => {
    const seen = await database.transaction(async (em) => {
      const [, first, , second] = await Promise.all([
        query(em, insert(1)),
        query(em, all),
        query(em, insert(2)),
        query(em, all),
      ]);
      return { first, second };
    });
    expect(seen).toEqual({ first: [{ id: 1 }], second: [{ id: 1 }, { id: 2 }] });
  });

  test('see commits made while an earlier one waited for a lock', async () => {
    await database.transaction((em) => query(em, insert(1)));
    const locked = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const holder = database.transaction(async (em) => {
      await query(em, sql`select id from entry where id = 1 for update`);
      locked.resolve();
      await proceed.promise;
      await query(em, insert(2));
    });
    await locked.promise;
    const waiter = database.transaction((em) =>
      Promise.all([query(em, sql`select id from entry where id = 1 for update`), query(em, all)]),
    );
    proceed.resolve();
    await holder;
    const [, seen] = await waiter;
    expect(seen).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('do not run after a failed one, and the transaction is rolled back', async () => {
    const outcomes: string[] = [];
    const failed = database.transaction(async (em) => {
      const pending = [query(em, insert(1)), query(em, insert(1)), query(em, insert(2))];
      for (const { status } of await Promise.allSettled(pending)) outcomes.push(status);
      await Promise.all(pending);
    });
    expect(await catchFailure(failed)).toMatchObject({ code: '23505' });
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await query(database.em(), all)).toEqual([]);
  });

  test('prepared in a failed group are prepared again', async () => {
    const fresh = (id: number) => sql`insert into entry (id) values (${id}) returning id as fresh`;
    const later = (id: number) => sql`select ${id}::int as later`;
    for (const [first, second] of [
      [1, 1],
      [1, 2],
      [3, 4],
    ] as const) {
      await database
        .transaction((em) => Promise.all([query(em, fresh(first)), query(em, fresh(second)), query(em, later(second))]))
        .catch(() => undefined);
    }
    expect(await query(database.em(), all)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  });
});

describe('a statement passed to send()', () => {
  test('is part of the transaction', async () => {
    await database.transaction((em) => {
      send(em, insert(1));
      send(em, insert(2));
    });
    expect(await query(database.em(), all)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('fails the whole transaction with its error', async () => {
    const failed = database.transaction((em) => {
      send(em, insert(1));
      send(em, insert(1));
      send(em, insert(2));
    });
    expect(await catchFailure(failed)).toMatchObject({ code: '23505' });
    expect(await query(database.em(), all)).toEqual([]);
  });

  test('does not run when the work fails', async () => {
    const failed = database.transaction((em) => {
      send(em, insert(1));
      throw new Error('changed its mind');
    });
    expect(await catchFailure(failed)).toMatchObject({ message: 'changed its mind' });
    expect(await query(database.em(), all)).toEqual([]);
  });

  test('is refused outside of a transaction', () => {
    expect(() => send(database.em(), insert(1))).toThrow('needs a transaction');
  });
});

test('a commit refused by a deferred constraint fails, and keeps nothing', async () => {
  const failed = database.transaction((em) => query(em, sql`insert into entry (id, other) values (1, 2)`));
  expect(await catchFailure(failed)).toMatchObject({ code: '23503' });
  expect(await query(database.em(), all)).toEqual([]);
});

test('work that hides a failed statement is not reported as committed', async () => {
  const hidden = database.transaction(async (em) => {
    await query(em, insert(1));
    await query(em, insert(1)).catch(() => undefined);
  });
  expect(await catchFailure(hidden)).toMatchObject({ message: 'The transaction had failed before its commit.' });
  expect(await query(database.em(), all)).toEqual([]);
});

test('a new connection prepares its statements again, because tables may have been empty', async () => {
  const connection = createConnection(created.url);
  await connection.connect();
  const find = sql`select id from entry where id = ${1}`;
  const plannedAt = async (): Promise<string | undefined> => {
    await connection.run(find);
    const [row] = await connection.run<{ at: string }>(
      sql`select prepare_time::text as at from pg_prepared_statements where statement = ${find.text}`,
    );
    return row?.at;
  };
  const first = await plannedAt();
  expect(first).toBeDefined();
  await eventually(async () => (await plannedAt()) !== first, 'another plan');
  await connection.end();
});

test('overlapping groups on a connection each read their own columns', async () => {
  const connection = createConnection(created.url);
  await connection.connect();
  const ask = (id: number) => connection.run(sql`select ${id}::int as id`);
  const rows = await Promise.all([ask(1), ask(2), ask(3)]);
  expect(rows).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]]);
  await connection.end();
});
