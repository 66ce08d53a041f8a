import { afterAll, beforeAll, describe, expect, test, afterEach, beforeEach, jest } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import {
  createTestDatabase,
  catchFailure,
  catchFailures,
  openTestDatabase,
  type TestDatabase,
} from '@saleschannel/testing';
import * as fc from 'fast-check';
import {
  totalExpression,
  evaluate,
  foldTotals,
  Keyset,
  readPages,
  query,
  sql,
  readTotal,
  type Database,
  type ListPart,
  type PageRequest,
  createTotalsJob,
} from '../src/index.ts';

describe('totals of lists', () => {
  const LONG_MS = 60_000;

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A database whose transactions end on command. */
  function slowDatabase() {
    const begun: ((value: never) => void)[] = [];
    const transaction = () => new Promise<never>((resolve) => begun.push(resolve));
    return {
      transaction,
      count: () => begun.length,
      endAll: (value: boolean) => {
        for (const resolve of begun.splice(0)) resolve(value as never);
      },
    };
  }

  test('the job waits for a slow database, and makes up for no missed runs', async () => {
    const database = slowDatabase();
    const job = createTotalsJob({ database, logger: silentLogger });
    await job.start();
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(database.count()).toBe(1);
    database.endAll(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(database.count()).toBe(0);
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(database.count()).toBe(1);
    database.endAll(false);
    await job.stop();
  });

  test('stop waits for the current transaction and begins no other', async () => {
    const database = slowDatabase();
    let more = 0;
    const also = () => Promise.resolve(void more++);
    const job = createTotalsJob({ database, logger: silentLogger, also });
    await job.start();
    await jest.advanceTimersByTimeAsync(LONG_MS);
    const stopped = job.stop();
    database.endAll(true);
    await stopped;
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect({ begun: database.count(), more }).toEqual({ begun: 0, more: 0 });
  });
});

let created: TestDatabase;
let database: Database;

const ROWS = 57;

beforeAll(async () => {
  created = await createTestDatabase();
  const text = `
    create table entry (category text not null, at timestamptz not null, id bigint not null,
      primary key (category, at, id));
    insert into entry select case i % 2 when 0 then 'b' else 'a' end, timestamptz '2025-01-01' + (i / 3) * interval
      '1 microsecond', i from generate_series(1, ${ROWS}) as i;
    create table list_count (list text, key text collate "C", rows bigint not null, primary key (list, key));
    create table list_count_delta (
      id bigint generated always as identity primary key, list text, key text, delta bigint
    );
  `;
  const migrations = [{ file: '20260101000001-test.sql', text }];
  database = await openTestDatabase({
    url: created.url,
    poolMax: 8,
    migrations,
  });
  await database.migrate();
});
afterAll(async () => {
  await database.stop();
  await created.drop();
});

const columns = [
  { column: 'entry.at', type: 'timestamptz' },
  { column: 'entry.id', type: 'bigint' },
] as const;
const ascending = new Keyset('entries', columns);
const descending = new Keyset('entries', columns, { descending: true });

const page = (keyset: Keyset, request: PageRequest, category = 'a'): Promise<ListPart<{ id: string }>> =>
  keyset.page(
    database.em(),
    { ...request, scope: category },
    ({ key, after, order, rows }) =>
      sql`select entry.id, ${key} from entry where entry.category = ${category} and ${after} order by ${order} ${rows}`,
  );

async function readAll(keyset: Keyset, limit: number, category?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const rows of readPages((after) => page(keyset, { limit, after }, category))) {
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

describe('a list', () => {
  test('read in pages of any size is complete, in both directions', async () => {
    const all = await readAll(ascending, 1_000);
    expect(all).toHaveLength(Math.ceil(ROWS / 2));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: ROWS }), async (limit) => {
        expect(await readAll(ascending, limit)).toEqual(all);
        expect(await readAll(descending, limit)).toEqual(all.toReversed());
      }),
      { numRuns: 15 },
    );
  });

  test('with a reversed first column is complete in pages of any size', async () => {
    const [first, second] = columns;
    const mixed = new Keyset('entries-mixed', [{ ...first, isReversed: true }, second]);
    const groups = Map.groupBy(await readAll(ascending, 1_000), (id) => Math.trunc(Number(id) / 3));
    const all = [...groups.entries()].toSorted(([one], [other]) => other - one).flatMap(([, ids]) => ids);
    for (const limit of [1, 2, 3, ROWS]) expect(await readAll(mixed, limit)).toEqual(all);
    const backwards = new Keyset('entries-mixed', [{ ...first, isReversed: true }, second], { descending: true });
    expect(await readAll(backwards, 2)).toEqual(all.toReversed());
  });

  test('has a next page exactly when there are more rows', async () => {
    const all = await readAll(ascending, 1_000);
    expect((await page(ascending, { limit: all.length })).next).toBeUndefined();
    expect((await page(ascending, { limit: all.length - 1 })).next).toEqual(expect.any(String));
    expect(await page(ascending, { limit: 5, offset: all.length })).toEqual({ rows: [], next: undefined });
    expect((await page(ascending, { limit: 5, offset: 3 })).rows.map(({ id }) => id)).toEqual(all.slice(3, 8));
  });

  test('shows each permanent row once, with any changes between the pages', async () => {
    const staying = await readAll(ascending, 1_000, 'b');
    const seen: string[] = [];
    let step = 0;
    for await (const rows of readPages((after) => page(ascending, { limit: 3, after }, 'b'))) {
      seen.push(...rows.map(({ id }) => id));
      step += 1;
      await query(
        database.em(),
        sql`insert into entry values ('b', '2025-01-01T00:00:00.000000Z', ${1_000 + step}),
              ('b', '2025-01-01T00:00:00.000010Z', ${2_000 + step})`,
      );
      await query(database.em(), sql`delete from entry where category = ${'b'} and id = ${1_000 + step}`);
    }
    expect(seen.filter((id) => Number(id) < 1_000)).toEqual(staying);
    expect(new Set(seen).size).toBe(seen.length);
    await query(database.em(), sql`delete from entry where id > ${1_000}`);
  });
});

describe('a cursor', () => {
  const encode = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

  test.each([
    ['', 'an empty text'],
    ['nonsense', 'not JSON'],
    [encode(), 'empty'],
    [encode(2, 'x', '2025-01-01T00:00:00.000000Z', '1'), 'another version'],
    [encode(1, 'x', '2025-02-30T00:00:00.000000Z', '1'), 'a time that does not exist'],
    [encode(1, 'x', '2025-01-01T00:00:00.000000Z', '1; drop table entry'), 'not a number'],
    [encode(1, 'x', '2025-01-01T00:00:00.000000Z'), 'too few values'],
    [encode(1, 'x', '2025-01-01T00:00:00.000000Z', 1), 'a value of another type'],
    [encode(1, 'x', '2025-01-01T00:00:00.000000Z', '1'), 'a wrong fingerprint'],
  ])('that is broken is refused with its parameter: %s (%s)', async (after) => {
    expect(await catchFailure(page(ascending, { limit: 5, after, parameter: '$after' }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: '$after', code: 'cursor' }],
    });
  });

  test('is valid only for its list, order and filter', async () => {
    const { next: after } = await page(ascending, { limit: 5 });
    expect((await page(ascending, { limit: 5, after })).rows).toHaveLength(5);
    const others: Promise<unknown>[] = [
      page(ascending, { limit: 5, after }, 'b'),
      page(descending, { limit: 5, after }),
      page(new Keyset('others', columns), { limit: 5, after }),
    ];
    for (const failure of await catchFailures(others))
      expect(failure).toMatchObject({ violations: [{ parameter: 'after', code: 'cursor' }] });
  });
});

test('totals are exact at every moment, during changes and folding', async () => {
  const change = (key: string, delta: number): Promise<void> =>
    database.transaction(async (em) => {
      await query(em, sql`insert into list_count_delta (list, key, delta) values ('entry', ${key}, ${delta})`);
      await query(em, sql`insert into list_count_delta (list, key, delta) values ('entry', ${'twin'}, ${delta})`);
    });
  const work = fc.sample(fc.tuple(fc.constantFrom('x', 'y'), fc.integer({ min: -3, max: 5 })), 120);
  let writing = true;
  const folding = (async () => {
    while (writing) await foldTotals(database);
  })();
  const reading = (async () => {
    while (writing) {
      // The same transactions change both, so they are equal in every snapshot.
      const difference = sql`${totalExpression('entry', ['x', 'y'])} - ${totalExpression('entry', ['twin'])}`;
      expect(await evaluate(database.em(), difference)).toBe('0');
    }
  })();
  await Promise.all(work.map(([key, delta]) => change(key, delta)));
  writing = false;
  await Promise.all([folding, reading]);
  const sum = (key: string): string => String(work.filter(([k]) => k === key).reduce((total, [, d]) => total + d, 0));
  expect(await readTotal(database.em(), 'entry', ['x'])).toBe(sum('x'));
  while (await foldTotals(database));
  expect(await readTotal(database.em(), 'entry', ['y'])).toBe(sum('y'));
  expect(await query(database.em(), sql`select 1 from list_count_delta`)).toEqual([]);
});

test('a key without rows is deleted', async () => {
  const change = (delta: number) =>
    query(database.em(), sql`insert into list_count_delta (list, key, delta) values ('gone', 'z', ${delta})`);
  const readRows = () => query(database.em(), sql`select rows from list_count where list = 'gone'`);
  await change(2);
  await change(-2);
  while (await foldTotals(database));
  expect(await readRows()).toEqual([]);
  await change(3);
  while (await foldTotals(database));
  expect(await readRows()).toEqual([{ rows: '3' }]);
  await change(-3);
  while (await foldTotals(database));
  expect(await readRows()).toEqual([]);
});

describe('a list read page by page', () => {
  const toPage = (number: number): ListPart<number> => ({ rows: [number], next: String(number) });

  test('is read exactly one page ahead', async () => {
    let read = 0;
    const pages = readPages(() => Promise.resolve(toPage((read += 1))));
    expect(read).toBe(0);
    for (let number = 1; number <= 5; number++) {
      expect(await pages.next()).toEqual({ value: [number], done: false });
      expect(read).toBe(number + 1);
    }
    await pages.return(undefined);
    expect(read).toBe(6);
  });

  test('yields a page before the error of the next one', async () => {
    const error = new Error('gone');
    const failing = (): AsyncGenerator<number[]> =>
      readPages((after) => (after === undefined ? Promise.resolve(toPage(1)) : Promise.reject(error)));
    const pages = failing();
    expect((await pages.next()).value).toEqual([1]);
    expect(await catchFailure(pages.next())).toBe(error);
    // Without another read, there is no unhandled rejection.
    const unread = failing();
    expect((await unread.next()).value).toEqual([1]);
    await unread.return(undefined);
  });
});
