import { beforeEach, expect, test, describe } from '@jest/globals';
import { createConnection, query, sql, type PreparingClient } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, testNamespace } from '@saleschannel/testing';
import * as fc from 'fast-check';
import { enqueue, Relay } from '../src/index.ts';
import { OutboxFloor } from '../src/outbox-floor.ts';
import { readRows, type ReadRow, type OutboxSnapshot } from '../src/outbox-rows.ts';
import { CommittedRows } from '../src/relay-rows.ts';
import {
  stopAfterEach,
  createBroker,
  consume,
  createTestStore,
  createReport,
  REPORTED,
  type Listening,
  type TestStore,
} from './support/messaging.ts';

/**
 * Models the database: transactions take an id at their first write, and end in any order. A row published without a
 * read must never overtake one that is committed and unpublished.
 */
type Action =
  | { readonly kind: 'begin'; readonly isOwn: boolean }
  | { readonly kind: 'end'; readonly which: number; readonly isUndone: boolean }
  | { readonly kind: 'round' }
  | { readonly kind: 'fail'; readonly which: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), isOwn: fc.boolean() }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat(), isUndone: fc.boolean() }),
  fc.record({ kind: fc.constant('round' as const) }),
  fc.record({ kind: fc.constant('fail' as const), which: fc.nat() }),
);

class Model {
  readonly open = new Map<number, { isOwn: boolean }>();
  readonly rows = new Set<number>();
  readonly published = new Set<number>();
  readonly handed = new CommittedRows();
  readonly floor = new OutboxFloor({ advanceEveryMs: 0, readAllEveryMs: 3_600_000 });
  #last = 0;

  begin(isOwn: boolean): void {
    this.open.set(++this.#last, { isOwn });
  }

  end(which: number, isUndone: boolean): void {
    const id = [...this.open.keys()][which % Math.max(1, this.open.size)];
    const isOwn = id !== undefined && this.open.get(id)?.isOwn === true;
    if (id === undefined) return;
    this.open.delete(id);
    if (isUndone) return;
    this.rows.add(id);
    if (isOwn) this.handed.add([{ id: String(id), type: 'type', body: '' }]);
  }

  async round(): Promise<void> {
    const { next, isAll } = this.handed.take(this.floor);
    for (const { id } of next) this.#publish(Number(id));
    if (isAll) return;
    await this.floor.advanceIfDue({ run: () => Promise.resolve([this.#edge()]) } as unknown as PreparingClient);
    const found = [...this.rows]
      .filter((id) => id > Number(this.floor.value) && !this.published.has(id))
      .toSorted(byId);
    this.floor.recordRead(found.map((id) => ({ id: String(id) })));
    for (const id of found) this.#publish(id);
    expect([...this.rows].filter((id) => !this.published.has(id))).toEqual([]);
  }

  /** The broker did not accept a row after all. */
  fail(which: number): void {
    const id = [...this.published][which % Math.max(1, this.published.size)];
    if (id === undefined) return;
    this.published.delete(id);
    this.floor.recordFailed(String(id));
  }

  #publish(id: number): void {
    const older = [...this.rows].filter((row) => row < id && !this.published.has(row));
    expect({ id, older }).toEqual({ id, older: [] });
    this.published.add(id);
    this.floor.recordPublished(String(id));
  }

  #edge(): OutboxSnapshot {
    const lowest = [...this.rows].filter((id) => id > Number(this.floor.value) && !this.published.has(id));
    return {
      xmin: String(Math.min(this.#last + 1, ...this.open.keys())),
      xmax: String(this.#last + 1),
      lowest: lowest.length > 0 ? String(Math.min(...lowest)) : null,
    };
  }
}

const byId = (one: number, other: number): number => one - other;

test('no unread row overtakes a committed, unpublished one, and reads find all others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const model = new Model();
      for (const step of actions) {
        if (step.kind === 'begin') model.begin(step.isOwn);
        else if (step.kind === 'end') model.end(step.which, step.isUndone);
        else if (step.kind === 'fail') model.fail(step.which);
        else await model.round();
      }
    }),
    { numRuns: 500 },
  );
});

test('a row is publishable when all ids before it were taken, in any order', () => {
  const floor = new OutboxFloor();
  for (const id of ['2', '1', '4']) floor.recordPublished(id);
  const rows = ['6', '3', '5', '2'].map((id) => ({ id }));
  expect(floor.selectPublishable(rows)).toEqual({ next: [{ id: '3' }, { id: '5' }, { id: '6' }], isAll: true });
  expect(floor.selectPublishable([{ id: '3' }, { id: '7' }])).toEqual({ next: [{ id: '3' }], isAll: false });
});

describe('the floor of an outbox in PostgreSQL', () => {
  /** Rows below the floor are never read, so none may ever appear there. */

  const LIMIT_MS = 180_000;

  let store: TestStore;
  let client: PreparingClient;
  const track = stopAfterEach();
  beforeEach(async () => {
    store = await createTestStore();
    track({ stop: () => store.drop() });
    client = await connect();
  });

  async function connect(): Promise<PreparingClient> {
    const connected = createConnection(store.databaseUrl);
    await connected.connect();
    track({ stop: () => connected.end() });
    return connected;
  }

  const put = (count: number) =>
    sql`insert into outbox (type, body) select ${REPORTED}, '{}' from generate_series(1, ${count}::int)`;
  const readBehind = async (floor: OutboxFloor): Promise<ReadRow[]> => {
    const rows = await client.run<ReadRow>(readRows(new Set(), [], floor.value));
    floor.recordRead(rows);
    return rows;
  };
  const advance = async (floor: OutboxFloor, times = 4): Promise<void> => {
    for (let count = 0; count < times; count++) await floor.advanceIfDue(client);
  };
  /** Transactions of other databases on the server also delay the floor. */
  const advanceTo = (floor: OutboxFloor, id: string | undefined): Promise<boolean> =>
    eventually(() => advance(floor).then(() => floor.value === id), 'the floor');

  test('a long snapshot does not make reads more expensive', async () => {
    const holder = await connect();
    await holder.query('begin isolation level repeatable read');
    await holder.run(sql`select count(*) from effect`);
    const floor = new OutboxFloor({ advanceEveryMs: 0 });
    for (let round = 0; round < 20; round++) {
      await client.run(put(500));
      await readBehind(floor);
      await client.run(sql`delete from outbox`);
    }
    await client.run(put(1));
    const [last] = await client.run<{ id: string }>(sql`delete from outbox returning id::text`);
    floor.recordRead(last ? [last] : []);
    await advanceTo(floor, last?.id);
    const countPages = async (from: string): Promise<number> => {
      const statement = readRows(new Set(), [], from);
      const answer = await client.query(
        `explain (analyze, buffers, format json) ${statement.text}`,
        statement.values as unknown[],
      );
      const [row] = answer.rows as { 'QUERY PLAN': { Plan: Record<string, number> }[] }[];
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    };
    expect(await countPages('0')).toBeGreaterThan(40);
    expect(await countPages(floor.value)).toBeLessThan(10);
  });

  test('the floor stays below the id of an open transaction, whose row is found', async () => {
    const floor = new OutboxFloor({ advanceEveryMs: 0 });
    const late = await connect();
    await late.query('begin');
    const [row] = await late.run<{ id: string }>(
      sql`insert into outbox (type, body) values (${REPORTED}, '{}') returning id::text`,
    );
    await client.run(put(10));
    await readBehind(floor);
    await client.run(sql`delete from outbox`);
    await advance(floor, 10);
    expect(floor.value).toBe('0');
    await late.query('commit');
    await advance(floor, 10);
    expect((await readBehind(floor)).map(({ id }) => id)).toEqual([row?.id]);
    await client.run(sql`delete from outbox`);
    await advanceTo(floor, '11');
  });

  test('the floor occasionally returns to the beginning', async () => {
    const floor = new OutboxFloor({ advanceEveryMs: 0, readAllEveryMs: 100 });
    const seen = new Set<boolean>();
    await eventually(async () => {
      await client.run(put(1));
      await readBehind(floor);
      await client.run(sql`delete from outbox`);
      await advance(floor);
      seen.add(floor.value === '0');
      return seen.size === 2 && floor.value === '0';
    }, 'a floor that rose and returned');
  });

  /** One transaction of a writer, with a pause between its statements. */
  const writer = fc.record({
    entries: fc.integer({ min: 1, max: 3 }),
    openMs: fc.integer({ min: 0, max: 30 }),
    isRolledBack: fc.boolean(),
  });

  test(
    'concurrent writers never make the relay miss a row, with the floor alone',
    async () => {
      const namespace = testNamespace();
      const listening: Listening = track(await consume({ namespace }));
      const broker = track(createBroker(namespace));
      const floor = { advanceEveryMs: 1, readAllEveryMs: 3_600_000 };
      const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger: silentLogger, floor });
      await broker.start();
      await track<Part>(relay).start();
      const write = async ({
        entries,
        openMs,
        isRolledBack,
      }: {
        entries: number;
        openMs: number;
        isRolledBack: boolean;
      }) => {
        const tasks = Array.from({ length: entries }, () => newId());
        const written = store.database.transaction(async (em) => {
          for (const id of tasks) enqueue(em, REPORTED, [createReport(id)]);
          await query(em, sql`select pg_sleep(${openMs / 1_000})`);
          if (isRolledBack) throw new Error('rolled back');
        });
        await written.catch(() => undefined);
        return isRolledBack ? [] : tasks;
      };
      await fc.assert(
        fc.asyncProperty(fc.array(writer, { minLength: 2, maxLength: 12 }), async (writers) => {
          const tasks = (await Promise.all(writers.map(write))).flat();
          await eventually(async () => {
            const heard = new Set(listening.heard.map(({ event }) => event.taskId));
            return tasks.every((id) => heard.has(id));
          }, 'every committed entry');
        }),
        { numRuns: 40, endOnFailure: true },
      );
      await eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');
    },
    LIMIT_MS,
  );
});
