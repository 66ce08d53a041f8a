import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createConnection, query, sql, type Database, type PreparingClient } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, startProxy, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import * as fc from 'fast-check';
import { enqueue, Relay, type RelayOptions } from '../src/index.ts';
import {
  stopAfterEach,
  createBroker,
  brokers,
  commit,
  consume,
  createTestStore,
  openTestStoreDatabase,
  createReport,
  REPORTED,
  type Listening,
  type TestStore,
} from './support/messaging.ts';

/** Rows pass from the commit to the relay of the same process in memory. */

const LIMIT_MS = 180_000;
/** Longer than any test, so that nothing is found by polling. */
const NEVER = { pollMs: 3_600_000, maxSilenceMs: 7_200_000 };

let store: TestStore;
let brokerUrl: string;
let namespace: string;
let listening: Listening;
afterEach(() => void jest.restoreAllMocks());
const track = stopAfterEach();

async function prepare(url: string): Promise<void> {
  brokerUrl = url;
  store = await createTestStore();
  namespace = testNamespace();
  track({ stop: () => store.drop() });
  listening = track(await consume({ namespace, url }));
}

async function startRelay(options: Partial<RelayOptions> & { url?: string } = {}): Promise<Relay> {
  const broker = track(createBroker(namespace, options.url ?? brokerUrl));
  const relay = new Relay({
    databaseUrl: store.databaseUrl,
    broker,
    service: 'test',
    logger: silentLogger,
    ...options,
  });
  await broker.start();
  await track<Part>(relay).start();
  return relay;
}

/** Opens the database under another URL, as another process would, so that its commits are not handed over. */
const openOther = async (): Promise<Database> =>
  track(await openTestStoreDatabase(`${store.databaseUrl}?application_name=another`));

const heardIds = (): string[] => listening.heard.map(({ event }) => event.taskId);
const heardAll = (tasks: readonly string[]): Promise<boolean> =>
  eventually(() => {
    const heard = new Set(heardIds());
    return Promise.resolve(tasks.every((id) => heard.has(id)));
  }, 'every entry');
const outboxEmpty = (): Promise<boolean> =>
  eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');

/** Counts the relays' statements on the outbox from now on. */
function watchStatements(onRead: () => unknown = () => undefined): { reads: number; deletions: number } {
  const counts = { reads: 0, deletions: 0 };
  const prototype = Object.getPrototypeOf(createConnection(store.databaseUrl)) as PreparingClient;
  const runTogether = prototype.runTogether;
  jest.spyOn(prototype, 'runTogether').mockImplementation(function (this: PreparingClient, statements) {
    for (const { text } of statements) {
      if (text.startsWith('delete from outbox')) counts.deletions++;
      else if (text.includes('ahead as materialized') || text.includes('pg_snapshot_xmin')) {
        counts.reads++;
        onRead();
      }
    }
    return runTogether.call(this, statements);
  });
  return counts;
}

type Step =
  | { readonly kind: 'own' | 'other' | 'unnotified' | 'rolledBack'; readonly rows: number; readonly openMs: number }
  | { readonly kind: 'fault'; readonly openMs: number };

/** Transactions of one writer. Each begins after the previous one has committed. */
const writer = fc.array(
  fc.record({
    // 'unnotified': the process ends between its commit and its NOTIFY.
    kind: fc.constantFrom('own', 'own', 'own', 'other', 'unnotified', 'rolledBack', 'fault'),
    rows: fc.integer({ min: 1, max: 3 }),
    openMs: fc.integer({ min: 0, max: 8 }),
  }) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 8 },
);

describe.each(brokers)('on %s', (_name, url) => {
  beforeEach(() => prepare(url()));

  test('a lone message is published without a read', async () => {
    const relay = await startRelay(NEVER);
    // The queue exists once the first message has arrived.
    const first = newId();
    await commit(store.database, REPORTED, [createReport(first)]);
    await heardAll([first]);
    await relay.waitUntilDrained();
    const counts = watchStatements();
    const tasks = Array.from({ length: 20 }, () => newId());
    for (const id of tasks) {
      await commit(store.database, REPORTED, [createReport(id)]);
      await heardAll([id]);
    }
    await outboxEmpty();
    expect(counts.reads).toBe(0);
    // Deleted after a while, together.
    expect(counts.deletions).toBeLessThanOrEqual(tasks.length);
    expect(heardIds()).toEqual([first, ...tasks]);
  });

  test('rows committed out of order, and rows after a rollback, are found without a poll', async () => {
    const relay = await startRelay(NEVER);
    await relay.waitUntilDrained();
    const [late, early, after] = [newId(), newId(), newId()] as const;
    const first = store.database.em();
    const lateRow = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const open = store.database.transaction(async (em) => {
      enqueue(em, REPORTED, [createReport(late)]);
      await query(em, sql`select 1`);
      lateRow.resolve();
      await held.promise;
    });
    await lateRow.promise;
    await commit(store.database, REPORTED, [createReport(early)]);
    await heardAll([early]);
    held.resolve();
    await open;
    await heardAll([late]);
    await store.database
      .transaction(async (em) => {
        enqueue(em, REPORTED, [createReport()]);
        await query(em, sql`select 1`);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await commit(store.database, REPORTED, [createReport(after)]);
    await heardAll([after]);
    await query(first, sql`select 1`);
    expect(heardIds()).toEqual([early, late, after]);
    await outboxEmpty();
  });

  test('more rows than one round publishes are all published, in order', async () => {
    const relay = await startRelay(NEVER);
    await relay.waitUntilDrained();
    const tasks = Array.from({ length: 350 }, () => newId());
    await commit(
      store.database,
      REPORTED,
      tasks.map((id) => createReport(id)),
    );
    await heardAll(tasks);
    expect(heardIds()).toEqual(tasks);
    await outboxEmpty();
  });

  test('an older row of another process goes first, even without a NOTIFY', async () => {
    const relay = await startRelay(NEVER);
    await relay.waitUntilDrained();
    const [before, after] = [newId(), newId()] as const;
    const body = JSON.stringify({ entries: [createReport(before)] });
    await query(store.database.em(), sql`insert into outbox (type, body) values (${REPORTED}, ${body})`);
    await commit(store.database, REPORTED, [createReport(after)]);
    await heardAll([before, after]);
    expect(heardIds()).toEqual([before, after]);
  });

  test('a permanent gap is passed, and later rows again need no read', async () => {
    const relay = await startRelay({ ...NEVER, floor: { advanceEveryMs: 0 } });
    await relay.waitUntilDrained();
    await query(store.database.em(), sql`select nextval(pg_get_serial_sequence('outbox', 'id'))`);
    await eventually(async () => {
      const counts = watchStatements();
      const task = newId();
      await commit(store.database, REPORTED, [createReport(task)]);
      await heardAll([task]);
      jest.restoreAllMocks();
      return counts.reads === 0;
    }, 'a message published without a read');
  });

  test(
    'with concurrent writers and replicas, lost wakes and relay crashes, nothing is lost and order is kept',
    async () => {
      const other = await openOther();
      const floor = { advanceEveryMs: 1, readAllEveryMs: 3_600_000 };
      const options = { floor, pollMs: 50 };
      const relay = await startRelay(options);
      await relay.waitUntilDrained();
      await startRelay({ ...options, databaseUrl: `${store.databaseUrl}?application_name=another` });

      const write = async (database: Database, tasks: readonly string[], step: Step): Promise<void> => {
        await database.transaction(async (em) => {
          for (const id of tasks) enqueue(em, REPORTED, [createReport(id)]);
          if (step.openMs > 0) await query(em, sql`select pg_sleep(${step.openMs / 1_000})`);
          if (step.kind === 'rolledBack') throw new Error('rolledBack');
        });
      };
      const insert = (tasks: readonly string[]) => {
        const bodies = tasks.map((id) => JSON.stringify({ entries: [createReport(id)] }));
        return query(
          other.em(),
          sql`insert into outbox (type, body) select ${REPORTED}, body from unnest(${bodies}::text[]) as given (body)`,
        );
      };
      const crash = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'test-relay' and datname = current_database()`;
      const runWriter = async (steps: readonly Step[]): Promise<string[]> => {
        const committed: string[] = [];
        for (const step of steps) {
          if (step.kind === 'fault') {
            await query(store.database.em(), crash);
            continue;
          }
          const tasks = Array.from({ length: step.rows }, () => newId());
          if (step.kind === 'unnotified') await insert(tasks);
          else if (step.kind === 'rolledBack') await write(store.database, tasks, step).catch(() => undefined);
          else await write(step.kind === 'own' ? store.database : other, tasks, step);
          if (step.kind !== 'rolledBack') committed.push(...tasks);
        }
        return committed;
      };
      await fc.assert(
        fc.asyncProperty(fc.array(writer, { minLength: 1, maxLength: 4 }), async (writers) => {
          listening.heard.splice(0);
          const committed = await Promise.all(writers.map(runWriter));
          await heardAll(committed.flat());
          // At least once: a repeated row comes after its first delivery.
          const heard = [...new Set(heardIds())];
          for (const tasks of committed) {
            const own = new Set(tasks);
            expect(heard.filter((id) => own.has(id))).toEqual(tasks);
          }
        }),
        { numRuns: 25, endOnFailure: true },
      );
      await outboxEmpty();
    },
    LIMIT_MS,
  );
});

test('an idle outbox is read less often, and rows without a NOTIFY are found', async () => {
  await prepare(testBrokerUrl());
  const relay = await startRelay();
  await relay.waitUntilDrained();
  const readAt: number[] = [];
  const counts = watchStatements(() => readAt.push(performance.now()));
  await eventually(
    () => Promise.resolve(readAt.some((at, index) => at - (readAt[index - 1] ?? at) > 1_900)),
    'two reads that are two seconds apart',
  );
  expect(counts.deletions).toBe(0);
  const task = newId();
  const body = JSON.stringify({ entries: [createReport(task)] });
  await query(store.database.em(), sql`insert into outbox (type, body) values (${REPORTED}, ${body})`);
  await heardAll([task]);
});

test('while the broker is unreachable, rows do not overtake each other', async () => {
  await prepare(testBrokerUrl());
  const proxy = track(await startProxy(testBrokerUrl()));
  const relay = await startRelay({ url: proxy.url });
  await relay.waitUntilDrained();
  proxy.cut();
  const tasks = Array.from({ length: 30 }, () => newId());
  for (const id of tasks.slice(0, 20)) await commit(store.database, REPORTED, [createReport(id)]);
  proxy.restore();
  for (const id of tasks.slice(20)) await commit(store.database, REPORTED, [createReport(id)]);
  await heardAll(tasks);
  expect([...new Set(heardIds())]).toEqual(tasks);
  await outboxEmpty();
});
