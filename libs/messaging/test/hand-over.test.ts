import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createConnection, query, sql, type Database, type PreparingClient } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, startProxy, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import * as fc from 'fast-check';
import { enqueue, Relay, type RelayOptions } from '../src/index.ts';
import {
  brokerOf,
  brokers,
  commit,
  consume,
  createStage,
  openStageDatabase,
  reported,
  REPORTED,
  type Listening,
  type Stage,
} from './support/stage.ts';

/** Rows go from the commit to the relay of the same process in memory. */

const LIMIT_MS = 180_000;
/** No test lasts so long: nothing is found by polling. */
const NEVER = { pollMs: 3_600_000, silentAtMostMs: 7_200_000 };

let stage: Stage;
let brokerUrl: string;
let namespace: string;
let listening: Listening;
const parts: { stop(): Promise<void> }[] = [];

async function prepare(url: string): Promise<void> {
  brokerUrl = url;
  stage = await createStage();
  namespace = testNamespace();
  kept({ stop: () => stage.drop() });
  listening = kept(await consume({ namespace, url }));
}
afterEach(async () => {
  jest.restoreAllMocks();
  for (const part of parts.splice(0).reverse()) await part.stop();
});

const kept = <P extends { stop(): Promise<void> }>(part: P): P => {
  parts.push(part);
  return part;
};

async function startRelay(options: Partial<RelayOptions> & { url?: string } = {}): Promise<Relay> {
  const broker = kept(brokerOf(namespace, options.url ?? brokerUrl));
  const relay = new Relay({
    databaseUrl: stage.databaseUrl,
    broker,
    service: 'test',
    logger: silentLogger,
    ...options,
  });
  await broker.start();
  await kept<Part>(relay).start();
  return relay;
}

/** The database as another process knows it. What commits there is not handed over. */
const openOther = async (): Promise<Database> =>
  kept(await openStageDatabase(`${stage.databaseUrl}?application_name=another`));

const heardIds = (): string[] => listening.heard.map(({ event }) => event.taskId);
const heardAll = (tasks: readonly string[]): Promise<boolean> =>
  eventually(() => {
    const heard = new Set(heardIds());
    return Promise.resolve(tasks.every((id) => heard.has(id)));
  }, 'every entry');
const outboxEmpty = (): Promise<boolean> =>
  eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');

/** Statements of relays on the outbox that this process sends from now on. */
function watchStatements(reading: () => unknown = () => undefined): { readings: number; deletions: number } {
  const counts = { readings: 0, deletions: 0 };
  const prototype = Object.getPrototypeOf(createConnection(stage.databaseUrl)) as PreparingClient;
  const together = prototype.together;
  jest.spyOn(prototype, 'together').mockImplementation(function (this: PreparingClient, statements) {
    for (const { text } of statements) {
      if (text.startsWith('delete from outbox')) counts.deletions++;
      else if (text.includes('ahead as materialized') || text.includes('pg_snapshot_xmin')) {
        counts.readings++;
        reading();
      }
    }
    return together.call(this, statements);
  });
  return counts;
}

type Step =
  | { readonly kind: 'own' | 'other' | 'unheard' | 'undone'; readonly rows: number; readonly openMs: number }
  | { readonly kind: 'fault'; readonly openMs: number };

/** What one lane does, step by step: each begins when the one before it has committed. */
const lane = fc.array(
  fc.record({
    // A process that ends between its commit and its wake tells nobody.
    kind: fc.constantFrom('own', 'own', 'own', 'other', 'unheard', 'undone', 'fault'),
    rows: fc.integer({ min: 1, max: 3 }),
    openMs: fc.integer({ min: 0, max: 8 }),
  }) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 8 },
);

describe.each(brokers)('on %s', (_name, url) => {
  beforeEach(() => prepare(url()));

  test('a lone message is published with no reading', async () => {
    const relay = await startRelay(NEVER);
    // Whoever hears the first one has its queue.
    const first = newId();
    await commit(stage.database, REPORTED, [reported(first)]);
    await heardAll([first]);
    await relay.drained();
    const counts = watchStatements();
    const tasks = Array.from({ length: 20 }, () => newId());
    for (const id of tasks) {
      await commit(stage.database, REPORTED, [reported(id)]);
      await heardAll([id]);
    }
    await outboxEmpty();
    expect(counts.readings).toBe(0);
    // They are deleted after a while, together.
    expect(counts.deletions).toBeLessThanOrEqual(tasks.length);
    expect(heardIds()).toEqual([first, ...tasks]);
  });

  test('rows that overtook each other, and rows behind one that was undone, are found without a poll', async () => {
    const relay = await startRelay(NEVER);
    await relay.drained();
    const [late, early, after] = [newId(), newId(), newId()] as const;
    const first = stage.database.em();
    const lateRow = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const open = stage.database.transaction(async (em) => {
      enqueue(em, REPORTED, [reported(late)]);
      await query(em, sql`select 1`);
      lateRow.resolve();
      await held.promise;
    });
    await lateRow.promise;
    await commit(stage.database, REPORTED, [reported(early)]);
    await heardAll([early]);
    held.resolve();
    await open;
    await heardAll([late]);
    await stage.database
      .transaction(async (em) => {
        enqueue(em, REPORTED, [reported()]);
        await query(em, sql`select 1`);
        throw new Error('undone');
      })
      .catch(() => undefined);
    await commit(stage.database, REPORTED, [reported(after)]);
    await heardAll([after]);
    await query(first, sql`select 1`);
    expect(heardIds()).toEqual([early, late, after]);
    await outboxEmpty();
  });

  test('more than one round of rows, committed at once, loses none and keeps their order', async () => {
    const relay = await startRelay(NEVER);
    await relay.drained();
    const tasks = Array.from({ length: 350 }, () => newId());
    await commit(
      stage.database,
      REPORTED,
      tasks.map((id) => reported(id)),
    );
    await heardAll(tasks);
    expect(heardIds()).toEqual(tasks);
    await outboxEmpty();
  });

  test('a row that another process committed before goes first, although nobody told the relay of it', async () => {
    const relay = await startRelay(NEVER);
    await relay.drained();
    const [before, after] = [newId(), newId()] as const;
    const body = JSON.stringify({ entries: [reported(before)] });
    await query(stage.database.em(), sql`insert into outbox (type, body) values (${REPORTED}, ${body})`);
    await commit(stage.database, REPORTED, [reported(after)]);
    await heardAll([before, after]);
    expect(heardIds()).toEqual([before, after]);
  });

  test('a gap that nothing fills any more is passed, and what follows needs no reading again', async () => {
    const relay = await startRelay({ ...NEVER, floor: { advanceEveryMs: 0 } });
    await relay.drained();
    await query(stage.database.em(), sql`select nextval(pg_get_serial_sequence('outbox', 'id'))`);
    await eventually(async () => {
      const counts = watchStatements();
      const task = newId();
      await commit(stage.database, REPORTED, [reported(task)]);
      await heardAll([task]);
      jest.restoreAllMocks();
      return counts.readings === 0;
    }, 'a message that is not read');
  });

  test(
    'however writers, replicas, lost wakes and crashes of relays meet, nothing is lost and lanes keep their order',
    async () => {
      const other = await openOther();
      const floor = { advanceEveryMs: 1, readAllEveryMs: 3_600_000 };
      const options = { floor, pollMs: 50 };
      const relay = await startRelay(options);
      await relay.drained();
      await startRelay({ ...options, databaseUrl: `${stage.databaseUrl}?application_name=another` });

      const write = async (database: Database, tasks: readonly string[], step: Step): Promise<void> => {
        await database.transaction(async (em) => {
          for (const id of tasks) enqueue(em, REPORTED, [reported(id)]);
          if (step.openMs > 0) await query(em, sql`select pg_sleep(${step.openMs / 1_000})`);
          if (step.kind === 'undone') throw new Error('undone');
        });
      };
      const insert = (tasks: readonly string[]) => {
        const bodies = tasks.map((id) => JSON.stringify({ entries: [reported(id)] }));
        return query(
          other.em(),
          sql`insert into outbox (type, body) select ${REPORTED}, body from unnest(${bodies}::text[]) as given (body)`,
        );
      };
      const crash = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'test-relay' and datname = current_database()`;
      const runLane = async (steps: readonly Step[]): Promise<string[]> => {
        const committed: string[] = [];
        for (const step of steps) {
          if (step.kind === 'fault') {
            await query(stage.database.em(), crash);
            continue;
          }
          const tasks = Array.from({ length: step.rows }, () => newId());
          if (step.kind === 'unheard') await insert(tasks);
          else if (step.kind === 'undone') await write(stage.database, tasks, step).catch(() => undefined);
          else await write(step.kind === 'own' ? stage.database : other, tasks, step);
          if (step.kind !== 'undone') committed.push(...tasks);
        }
        return committed;
      };
      await fc.assert(
        fc.asyncProperty(fc.array(lane, { minLength: 1, maxLength: 4 }), async (lanes) => {
          listening.heard.splice(0);
          const committed = await Promise.all(lanes.map(runLane));
          await heardAll(committed.flat());
          // At least once: a row that comes again comes after its first time.
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

test('an outbox in which nothing happens is read less often, and rows that nobody told of are found', async () => {
  await prepare(testBrokerUrl());
  const relay = await startRelay();
  await relay.drained();
  const readAt: number[] = [];
  const counts = watchStatements(() => readAt.push(performance.now()));
  await eventually(
    () => Promise.resolve(readAt.some((at, place) => at - (readAt[place - 1] ?? at) > 1_900)),
    'two readings that are two seconds apart',
  );
  expect(counts.deletions).toBe(0);
  const task = newId();
  const body = JSON.stringify({ entries: [reported(task)] });
  await query(stage.database.em(), sql`insert into outbox (type, body) values (${REPORTED}, ${body})`);
  await heardAll([task]);
});

test('while a row is held back by the broker, nothing goes ahead of it in its queue', async () => {
  await prepare(testBrokerUrl());
  const proxy = kept(await startProxy(testBrokerUrl()));
  const relay = await startRelay({ url: proxy.url });
  await relay.drained();
  proxy.cut();
  const tasks = Array.from({ length: 30 }, () => newId());
  for (const id of tasks.slice(0, 20)) await commit(stage.database, REPORTED, [reported(id)]);
  proxy.restore();
  for (const id of tasks.slice(20)) await commit(stage.database, REPORTED, [reported(id)]);
  await heardAll(tasks);
  expect([...new Set(heardIds())]).toEqual(tasks);
  await outboxEmpty();
});
