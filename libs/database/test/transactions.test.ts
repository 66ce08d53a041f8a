import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runWithin } from '@saleschannel/runtime';
import {
  createTestDatabase,
  eventually,
  catchFailure,
  openTestDatabase,
  type TestDatabase,
} from '@saleschannel/testing';
import { createConnection, query, send, sql, type Database } from '../src/index.ts';

describe('a deadline', () => {
  const text = `create table entry (id int primary key);`;
  const insert = (id: number) => sql`insert into entry (id) values (${id})`;

  let created: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    created = await createTestDatabase();
    const schema = { migrations: [{ file: '20260101000001-test.sql', text }] };
    database = await openTestDatabase({ url: created.url, poolMax: 4, ...schema });
    await database.migrate();
  });
  beforeEach(async () => {
    await query(database.em(), sql`delete from entry`);
    await query(database.em(), insert(1));
  });
  afterAll(async () => {
    await database.stop();
    await created.drop();
  });

  const ids = async () =>
    (await query<{ id: number }>(database.em(), sql`select id from entry order by id`)).map(({ id }) => id);
  const LEFT_MS = 300;
  const soon = () => ({ deadline: Date.now() + LEFT_MS, isCancelled: () => false });

  /** Locks row 1 until `release`. */
  async function hold(): Promise<{ release(): Promise<void> }> {
    const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (em) => {
      await query(em, sql`select from entry where id = 1 for update`);
      locked.resolve();
      await unlocked.promise;
    });
    await locked.promise;
    return {
      release() {
        unlocked.resolve();
        return holder;
      },
    };
  }

  const untilWaiting = () =>
    eventually(
      async () => (await query(database.em(), sql`select from pg_locks where not granted`)).length > 0,
      'a statement waits for the lock',
    );

  test.each([
    [
      'is sent together with the commit',
      (em: Parameters<typeof send>[0]) => {
        send(em, sql`update entry set id = id where id = 1`);
        send(em, insert(2));
      },
    ],
    [
      'is awaited',
      async (em: Parameters<typeof send>[0]) => {
        await query(em, insert(2));
        await query(em, sql`select from entry where id = 1 for update`);
      },
    ],
    [
      'is sent together with the commit of a transaction with an earlier statement',
      async (em: Parameters<typeof send>[0]) => {
        await query(em, insert(2));
        send(em, sql`update entry set id = id where id = 1`);
      },
    ],
  ])('nothing is committed after a lock held past the deadline, when its statement %s', async (_how, work) => {
    const { release } = await hold();
    const limit = soon();
    const outcome = runWithin(limit, () => database.transaction(work)).catch((error: unknown) => error);
    await untilWaiting();
    await eventually(() => Promise.resolve(Date.now() > limit.deadline + 50), 'the deadline has passed');
    await release();
    expect(await outcome).toMatchObject({ code: 'unavailable' });
    expect(await ids()).toEqual([1]);
  });

  test('work before the deadline commits, with statements together and one by one', async () => {
    const limit = { ...soon(), deadline: Date.now() + 30_000 };
    await runWithin(limit, async () => {
      await database.transaction((em) => send(em, insert(2)));
      await database.transaction(async (em) => {
        await query(em, insert(3));
        send(em, insert(4));
      });
    });
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  test('nothing is committed after the caller cancelled', async () => {
    let isCancelled = false;
    const limit = { deadline: Date.now() + 30_000, isCancelled: () => isCancelled };
    const outcome = runWithin(limit, () =>
      database.transaction(async (em) => {
        await query(em, insert(2));
        isCancelled = true;
      }),
    );
    await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
    expect(await ids()).toEqual([1]);
  });

  test('work that outlives a call has no deadline', async () => {
    const proceed = Promise.withResolvers<void>();
    let background: Promise<void> | undefined;
    const limit = { deadline: Date.now() + 30_000, isCancelled: () => true };
    await runWithin(limit, () => {
      background = proceed.promise.then(() => database.transaction((em) => send(em, insert(2))));
      return Promise.resolve();
    });
    proceed.resolve();
    await background;
    expect(await ids()).toEqual([1, 2]);
  });

  test('an error of the work itself is reported unchanged', async () => {
    const limit = { deadline: Date.now() + 30_000, isCancelled: () => false };
    const work = runWithin(limit, () => database.transaction((em) => send(em, sql`select 1 / (select 0)`)));
    await expect(work).rejects.toMatchObject({ code: '22012' });
  });

  const insertAfterLock = sql`
  with locked as (update entry set id = id where id = 1 returning id) insert into entry (id) select 2 from locked`;

  test('a lone statement that waits for a lock past the deadline changes nothing', async () => {
    const { release } = await hold();
    const limit = soon();
    const outcome = runWithin(limit, () => query(database.em(), insertAfterLock)).catch((error: unknown) => error);
    await untilWaiting();
    await eventually(() => Promise.resolve(Date.now() > limit.deadline + 50), 'the deadline has passed');
    await release();
    expect(await outcome).toMatchObject({ code: 'unavailable' });
    expect(await ids()).toEqual([1]);
  });

  test('a lone statement is not sent after the caller cancelled, but reads are', async () => {
    const limit = { deadline: Date.now() + 30_000, isCancelled: () => true };
    await expect(runWithin(limit, () => query(database.em(), insert(2)))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await runWithin(limit, ids)).toEqual([1]);
  });

  test('a lone statement before the deadline takes effect, and its error leaves the connection usable', async () => {
    const limit = { deadline: Date.now() + 30_000, isCancelled: () => false };
    await runWithin(limit, async () => {
      for (let round = 0; round < 8; round++)
        await expect(query(database.em(), insert(1))).rejects.toMatchObject({ code: '23505' });
      expect(await query(database.em(), sql`insert into entry (id) values (2) returning id`)).toEqual([{ id: 2 }]);
    });
    expect(await ids()).toEqual([1, 2]);
  });
});

describe('statements together', () => {
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
          .transaction((em) =>
            Promise.all([query(em, fresh(first)), query(em, fresh(second)), query(em, later(second))]),
          )
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
});
