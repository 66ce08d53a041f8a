import { describe, expect, test } from '@jest/globals';
import { query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import {
  alwaysAvailable,
  eventually,
  startListener,
  startProxy,
  testBrokerUrl,
  type TestListener,
  withOwn,
} from '@saleschannel/testing';
import { Consumer, readOutboxState, Relay, type RelayOptions } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import {
  startFixture,
  type Fixture,
  createBroker,
  commit,
  consume,
  createReport,
  REPORTED,
  newIds,
} from './support/messaging.ts';

/** Runs each test with a fixture of its own. They mostly wait, so they run concurrently. */
const isolate = (work: (fixture: Fixture) => Promise<void>) => withOwn(startFixture, work);

async function startRelay(
  { namespace, store, track }: Fixture,
  options: Partial<RelayOptions> & { url?: string } = {},
): Promise<Relay> {
  const broker = createBroker(namespace, options.url);
  const relay = new Relay({
    databaseUrl: store.databaseUrl,
    broker,
    service: 'test',
    logger: silentLogger,
    ...options,
  });
  track(broker);
  await broker.start();
  await track<Part>(relay).start();
  return relay;
}

const outboxEmpty = ({ store }: Fixture): Promise<boolean> =>
  eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');
const commitAll = ({ store }: Fixture, tasks: readonly string[]): Promise<void> =>
  commit(
    store.database,
    REPORTED,
    tasks.map((id) => createReport(id)),
  );

test.concurrent(
  'repeatedly lost broker connections lose nothing',
  isolate(async (fixture) => {
    const { namespace, track } = fixture;
    const proxy = track(await startProxy(testBrokerUrl()));
    const listening = track(await consume({ namespace }));
    await startRelay(fixture, { url: proxy.url });
    const tasks = newIds(400);
    for (let at = 0; at < tasks.length; at += 100) {
      await commitAll(fixture, tasks.slice(at, at + 100));
      await eventually(() => Promise.resolve(listening.heard.length > at), 'something published');
      proxy.cut();
      proxy.restore();
    }
    await outboxEmpty(fixture);
    await eventually(
      () => Promise.resolve(new Set(listening.heard.map(({ event }) => event.taskId)).size === tasks.length),
      'every message',
    );
    expect(proxy.opened).toBeGreaterThan(1);
  }),
);

test.concurrent(
  'events committed without a broker are published when it is back',
  isolate(async (fixture) => {
    const { namespace, store, track } = fixture;
    const proxy = track(await startProxy(testBrokerUrl()));
    const listening = track(await consume({ namespace }));
    const relay = await startRelay(fixture, { url: proxy.url });
    await relay.waitUntilDrained();
    proxy.cut();
    const tasks = newIds(5);
    await commitAll(fixture, tasks);
    expect(await store.countOutbox()).toBe(5);
    proxy.restore();
    await outboxEmpty(fixture);
    await eventually(() => Promise.resolve(listening.heard.length >= 5));
    expect(listening.heard.map(({ event }) => event.taskId)).toEqual(tasks);
  }),
);

test.concurrent(
  'without a broker, the relay keeps its session for the lag metric',
  isolate(async ({ namespace, store, track }) => {
    const maxSilenceMs = 2_000;
    const relay = new Relay({
      databaseUrl: store.databaseUrl,
      broker: createBroker(namespace),
      service: 'unheard',
      logger: silentLogger,
      maxSilenceMs,
    });
    await track<Part>(relay).start();
    const sessions = sql`
    select 1 as one from pg_stat_activity
    where application_name = 'unheard-relay' and datname = current_database()
      and clock_timestamp() - backend_start > ${2 * maxSilenceMs} * interval '1 millisecond'`;
    await eventually(
      async () => (await query(store.database.em(), sessions)).length === 1,
      'a session older than a silent one could be',
    );
  }),
);

describe('an event waits in the outbox, without delaying others,', () => {
  const CHANGED = 'inventory.transaction.status-changed.v1';
  const change = () =>
    ({
      eventId: newId(),
      salesChannelId: 'c',
      transactionId: 't',
      taskId: newId(),
      status: 'SUCCESS',
      reason: null,
      effectiveAt: '',
      traceparent: '',
    }) as const;

  const DELETED = 'identity.key.deleted.v1';

  /** Sends a broadcast, which needs no queue. */
  async function deleteKey({ store }: Fixture, listener: TestListener<typeof DELETED>): Promise<void> {
    await commit(store.database, DELETED, [{ keyId: 'k' }]);
    await eventually(() => Promise.resolve(listener.entries.length > 0), 'the broadcast');
  }

  async function startLog({ namespace }: Fixture): Promise<{ logged: unknown[]; stop: () => Promise<void> }> {
    const logged: unknown[] = [];
    const broker = createBroker(namespace);
    const handle = (entries: unknown[]): Promise<void> => Promise.resolve(void logged.push(...entries));
    const limits = { prefetch: 10, maxBatchEntries: 10, availability: alwaysAvailable };
    const log = new Consumer({ broker, queue: 'events.log', ...limits, logger: silentLogger, handle });
    await broker.start();
    return { logged, stop: () => log.stop().then(() => broker.stop()) };
  }

  test.concurrent(
    'until all its queues exist',
    isolate(async (fixture) => {
      const { namespace, store, track } = fixture;
      const broadcasts = track(await startListener(namespace, [DELETED]));
      await startRelay(fixture);
      // More blocked rows than one round, before the publishable one.
      await commit(store.database, CHANGED, Array.from({ length: 150 }, change));
      await deleteKey(fixture, broadcasts);

      const tasks = track(await consume({ namespace }));
      await commit(store.database, REPORTED, [createReport()]);
      await eventually(() => Promise.resolve(tasks.heard.length > 0), 'the event of the existing queue');
      expect(tasks.heard.map(({ type }) => type)).toEqual([REPORTED]);
      // A row is deleted after its confirm, possibly after its delivery.
      await eventually(async () => (await store.countOutbox()) === 150, 'only the rows without a queue');

      const { logged } = track(await startLog(fixture));
      await outboxEmpty(fixture);
      await eventually(
        () => Promise.resolve(logged.length === 150 && tasks.heard.length === 151),
        'both queues filled',
      );
    }),
  );

  test.concurrent(
    'until all its queues are bound, as during the first start of a consumer',
    isolate(async (fixture) => {
      const { namespace, operator, store, track } = fixture;
      const name = brokerNames(namespace);
      const tasks = track(await consume({ namespace }));
      const first = await startLog(fixture);
      for (const queue of ['tasks.outcomes', 'events.log'] as const)
        await eventually(() => operator.isConsumed(name.queue(queue)), queue);
      await first.stop();
      await operator.channel.deleteQueue(name.deadLetterQueue('events.log'));
      await operator.channel.unbindQueue(name.queue('events.log'), name.exchange, CHANGED);

      const broadcasts = track(await startListener(namespace, [DELETED]));
      await startRelay(fixture);
      await commit(store.database, CHANGED, [change()]);
      await deleteKey(fixture, broadcasts);
      // A row is deleted after its confirm, possibly after its delivery.
      await eventually(async () => (await store.countOutbox()) === 1, 'the broadcast deleted');
      expect(tasks.heard).toEqual([]);

      const { logged } = track(await startLog(fixture));
      await outboxEmpty(fixture);
      await eventually(() => Promise.resolve(logged.length === 1 && tasks.heard.length === 1), 'both queues filled');
    }),
  );
});

test.concurrent(
  'one of two relays is active, and the other takes over',
  isolate(async (fixture) => {
    const { namespace, store, track } = fixture;
    const listening = track(await consume({ namespace }));
    const brokers = [createBroker(namespace), createBroker(namespace)] as const;
    const relays = brokers.map(
      (broker) => new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger: silentLogger }),
    );
    for (const broker of brokers) await track(broker).start();
    const [first, second] = relays as [Relay, Relay];
    await first.start();
    await first.waitUntilDrained();
    await track<Part>(second).start();
    const tasks = newIds(20);
    await commitAll(fixture, tasks.slice(0, 10));
    await first.waitUntilDrained();
    await first.stop();
    await commitAll(fixture, tasks.slice(10));
    await second.waitUntilDrained();
    await eventually(() => Promise.resolve(listening.heard.length >= tasks.length));
    // In any order: the broker may return and redeliver one.
    expect(listening.heard.map(({ event }) => event.taskId).toSorted()).toEqual(tasks.toSorted());
    const locks = await query(
      store.database.em(),
      sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where locktype = 'advisory' and granted and datname = current_database()`,
    );
    expect(locks).toHaveLength(1);
  }),
);

test.concurrent(
  'a lost database connection is re-established',
  isolate(async (fixture) => {
    const { namespace, store, track } = fixture;
    const proxy = track(await startProxy(store.databaseUrl));
    const listening = track(await consume({ namespace }));
    const relay = await startRelay(fixture, { databaseUrl: proxy.url });
    await relay.waitUntilDrained();
    proxy.cut();
    const entry = createReport();
    await commit(store.database, REPORTED, [entry]);
    proxy.restore();
    await eventually(
      () => Promise.resolve(listening.heard.some(({ event }) => event.taskId === entry.taskId)),
      'the event',
    );
    await outboxEmpty(fixture);
  }),
);

test.concurrent(
  'a silent host is replaced, and its lock is released',
  isolate(async (fixture) => {
    const { namespace, store, track } = fixture;
    const proxy = track(await startProxy(store.databaseUrl));
    const listening = track(await consume({ namespace }));
    // Longer than the one-second poll interval of a relay.
    const limits = { timeouts: { connectMs: 1_000, statementMs: 200 }, maxSilenceMs: 3_000 };
    const gone = await startRelay(fixture, { databaseUrl: proxy.url, ...limits });
    await gone.waitUntilDrained();
    proxy.freeze();
    const [first, second] = [createReport(), createReport()];
    await commit(store.database, REPORTED, [first]);
    await startRelay(fixture, limits);
    await commit(store.database, REPORTED, [second]);
    await outboxEmpty(fixture);
    await eventually(() => Promise.resolve(listening.heard.length >= 2), 'both events');
    expect(new Set(listening.heard.map(({ event }) => event.taskId))).toEqual(new Set([first.taskId, second.taskId]));
  }),
);

test.concurrent(
  'deletes refused events long after they were handled, and keeps unhandled ones',
  isolate(async (fixture) => {
    const { store } = fixture;
    await query(
      store.database.em(),
      sql`insert into outbox_refused (id, type, body, reason, created_at, handled_at)
        select n, ${REPORTED}, '{}', '406', now(), case n % 3
          when 0 then now() - interval '91 days' when 1 then now() - interval '89 days'
        end
        from generate_series(1, 4500) as n`,
    );
    await startRelay(fixture);
    const left = await eventually(async () => {
      const rows = await query<{ age: number | null; count: number }>(
        store.database.em(),
        sql`select extract(day from now() - handled_at)::int as age, count(*)::int as count from outbox_refused
          group by age order by age`,
      );
      return rows.length === 2 && rows;
    }, 'the deletion of old rows');
    expect(left).toEqual([
      { age: 89, count: 1_500 },
      { age: null, count: 1_500 },
    ]);
    expect(await readOutboxState(store.database.em())).toMatchObject({ refused: '1500' });
  }),
);
