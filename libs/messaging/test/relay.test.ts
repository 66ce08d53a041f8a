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
import { names } from '../src/topology.ts';
import { startFixture, type Fixture } from './support/fixture.ts';
import { brokerOf, commit, consume, reported, REPORTED } from './support/stage.ts';

/** Gives each test a fixture of its own. They mostly wait, so they run at the same time. */
const isolate = (work: (fixture: Fixture) => Promise<void>) => withOwn(startFixture, work);

async function startRelay(
  { namespace, stage, kept }: Fixture,
  options: Partial<RelayOptions> & { url?: string } = {},
): Promise<Relay> {
  const broker = brokerOf(namespace, options.url);
  const relay = new Relay({
    databaseUrl: stage.databaseUrl,
    broker,
    service: 'test',
    logger: silentLogger,
    ...options,
  });
  kept(broker);
  await broker.start();
  await kept<Part>(relay).start();
  return relay;
}

const outboxEmpty = ({ stage }: Fixture): Promise<boolean> =>
  eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');
const commitAll = ({ stage }: Fixture, tasks: readonly string[]): Promise<void> =>
  commit(
    stage.database,
    REPORTED,
    tasks.map((id) => reported(id)),
  );
const ids = (count: number): string[] => Array.from({ length: count }, () => newId());

test.concurrent(
  'a connection to the broker that breaks again and again loses nothing',
  isolate(async (fixture) => {
    const { namespace, kept } = fixture;
    const proxy = kept(await startProxy(testBrokerUrl()));
    const listening = kept(await consume({ namespace }));
    await startRelay(fixture, { url: proxy.url });
    const tasks = ids(400);
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
  'what is committed while the broker cannot be reached is published when it is back',
  isolate(async (fixture) => {
    const { namespace, stage, kept } = fixture;
    const proxy = kept(await startProxy(testBrokerUrl()));
    const listening = kept(await consume({ namespace }));
    const relay = await startRelay(fixture, { url: proxy.url });
    await relay.drained();
    proxy.cut();
    const tasks = ids(5);
    await commitAll(fixture, tasks);
    expect(await stage.countOutbox()).toBe(5);
    proxy.restore();
    await outboxEmpty(fixture);
    await eventually(() => Promise.resolve(listening.heard.length >= 5));
    expect(listening.heard.map(({ event }) => event.taskId)).toEqual(tasks);
  }),
);

test.concurrent(
  'without a broker the relay keeps its session, by which it tells how much waits',
  isolate(async ({ namespace, stage, kept }) => {
    const silentAtMostMs = 2_000;
    const relay = new Relay({
      databaseUrl: stage.databaseUrl,
      broker: brokerOf(namespace),
      service: 'unheard',
      logger: silentLogger,
      silentAtMostMs,
    });
    await kept<Part>(relay).start();
    const sessions = sql`
    select 1 as one from pg_stat_activity
    where application_name = 'unheard-relay' and datname = current_database()
      and clock_timestamp() - backend_start > ${2 * silentAtMostMs} * interval '1 millisecond'`;
    await eventually(
      async () => (await query(stage.database.em(), sessions)).length === 1,
      'a session that is older than it could be in silence',
    );
  }),
);

describe('an event waits in the outbox, and holds up no other event', () => {
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

  /** A broadcast, for which no queue need be there. */
  async function deleteKey({ stage }: Fixture, listener: TestListener<typeof DELETED>): Promise<void> {
    await commit(stage.database, DELETED, [{ keyId: 'k' }]);
    await eventually(() => Promise.resolve(listener.heard.length > 0), 'the broadcast');
  }

  async function startLog({ namespace }: Fixture): Promise<{ logged: unknown[]; stop: () => Promise<void> }> {
    const logged: unknown[] = [];
    const broker = brokerOf(namespace);
    const handle = (entries: unknown[]): Promise<void> => Promise.resolve(void logged.push(...entries));
    const limits = { prefetch: 10, batchEntriesAtMost: 10, availability: alwaysAvailable };
    const log = new Consumer({ broker, queue: 'events.log', ...limits, logger: silentLogger, handle });
    await broker.start();
    return { logged, stop: () => log.stop().then(() => broker.stop()) };
  }

  test.concurrent(
    'until all its queues exist',
    isolate(async (fixture) => {
      const { namespace, stage, kept } = fixture;
      const broadcasts = kept(await startListener(namespace, [DELETED]));
      await startRelay(fixture);
      // More than a round of rows that cannot go, before the one that can.
      await commit(stage.database, CHANGED, Array.from({ length: 150 }, change));
      await deleteKey(fixture, broadcasts);

      const tasks = kept(await consume({ namespace }));
      await commit(stage.database, REPORTED, [reported()]);
      await eventually(() => Promise.resolve(tasks.heard.length > 0), 'the event whose only queue exists now');
      expect(tasks.heard.map(({ type }) => type)).toEqual([REPORTED]);
      // A row goes when its message is confirmed, which may be after it was heard.
      await eventually(async () => (await stage.countOutbox()) === 150, 'all but those without a queue gone');

      const { logged } = kept(await startLog(fixture));
      await outboxEmpty(fixture);
      await eventually(
        () => Promise.resolve(logged.length === 150 && tasks.heard.length === 151),
        'both queues filled',
      );
    }),
  );

  test.concurrent(
    'until all its queues are bound, as they are not yet while a consumer starts for the first time',
    isolate(async (fixture) => {
      const { namespace, operator, stage, kept } = fixture;
      const name = names(namespace);
      const tasks = kept(await consume({ namespace }));
      const first = await startLog(fixture);
      for (const queue of ['tasks.outcomes', 'events.log'] as const)
        await eventually(() => operator.isConsumed(name.queue(queue)), queue);
      await first.stop();
      await operator.channel.deleteQueue(name.deadLetterQueue('events.log'));
      await operator.channel.unbindQueue(name.queue('events.log'), name.exchange, CHANGED);

      const broadcasts = kept(await startListener(namespace, [DELETED]));
      await startRelay(fixture);
      await commit(stage.database, CHANGED, [change()]);
      await deleteKey(fixture, broadcasts);
      // A row goes when its message is confirmed, which may be after it was heard.
      await eventually(async () => (await stage.countOutbox()) === 1, 'the broadcast gone');
      expect(tasks.heard).toEqual([]);

      const { logged } = kept(await startLog(fixture));
      await outboxEmpty(fixture);
      await eventually(() => Promise.resolve(logged.length === 1 && tasks.heard.length === 1), 'both queues filled');
    }),
  );
});

test.concurrent(
  'of two relays one is active, and the other takes over',
  isolate(async (fixture) => {
    const { namespace, stage, kept } = fixture;
    const listening = kept(await consume({ namespace }));
    const brokers = [brokerOf(namespace), brokerOf(namespace)] as const;
    const relays = brokers.map(
      (broker) => new Relay({ databaseUrl: stage.databaseUrl, broker, service: 'test', logger: silentLogger }),
    );
    for (const broker of brokers) await kept(broker).start();
    const [first, second] = relays as [Relay, Relay];
    await first.start();
    await first.drained();
    await kept<Part>(second).start();
    const tasks = ids(20);
    await commitAll(fixture, tasks.slice(0, 10));
    await first.drained();
    await first.stop();
    await commitAll(fixture, tasks.slice(10));
    await second.drained();
    await eventually(() => Promise.resolve(listening.heard.length >= tasks.length));
    // Each once. Their order is the broker's, which may give one back and deliver it again.
    expect(listening.heard.map(({ event }) => event.taskId).toSorted()).toEqual(tasks.toSorted());
    const locks = await query(
      stage.database.em(),
      sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where locktype = 'advisory' and granted and datname = current_database()`,
    );
    expect(locks).toHaveLength(1);
  }),
);

test.concurrent(
  'a lost connection to the database is made again',
  isolate(async (fixture) => {
    const { namespace, stage, kept } = fixture;
    const proxy = kept(await startProxy(stage.databaseUrl));
    const listening = kept(await consume({ namespace }));
    const relay = await startRelay(fixture, { databaseUrl: proxy.url });
    await relay.drained();
    proxy.cut();
    const entry = reported();
    await commit(stage.database, REPORTED, [entry]);
    proxy.restore();
    await eventually(
      () => Promise.resolve(listening.heard.some(({ event }) => event.taskId === entry.taskId)),
      'the event',
    );
    await outboxEmpty(fixture);
  }),
);

test.concurrent(
  'a host that is gone without a word is replaced, and its lock is free again',
  isolate(async (fixture) => {
    const { namespace, stage, kept } = fixture;
    const proxy = kept(await startProxy(stage.databaseUrl));
    const listening = kept(await consume({ namespace }));
    // More than the second that a relay may wait for work.
    const limits = { patience: { connectMs: 1_000, statementMs: 200 }, silentAtMostMs: 3_000 };
    const gone = await startRelay(fixture, { databaseUrl: proxy.url, ...limits });
    await gone.drained();
    proxy.freeze();
    const [first, second] = [reported(), reported()];
    await commit(stage.database, REPORTED, [first]);
    await startRelay(fixture, limits);
    await commit(stage.database, REPORTED, [second]);
    await outboxEmpty(fixture);
    await eventually(() => Promise.resolve(listening.heard.length >= 2), 'both events');
    expect(new Set(listening.heard.map(({ event }) => event.taskId))).toEqual(new Set([first.taskId, second.taskId]));
  }),
);

test.concurrent(
  'removes refused events long after they were handled, and keeps those that nobody has handled',
  isolate(async (fixture) => {
    const { stage } = fixture;
    await query(
      stage.database.em(),
      sql`insert into outbox_refused (id, type, body, reason, created_at, handled_at)
        select n, ${REPORTED}, '{}', '406', now(), case n % 3
          when 0 then now() - interval '91 days' when 1 then now() - interval '89 days'
        end
        from generate_series(1, 4500) as n`,
    );
    await startRelay(fixture);
    const left = await eventually(async () => {
      const rows = await query<{ age: number | null; count: number }>(
        stage.database.em(),
        sql`select extract(day from now() - handled_at)::int as age, count(*)::int as count from outbox_refused
          group by age order by age`,
      );
      return rows.length === 2 && rows;
    }, 'the removal of what is old');
    expect(left).toEqual([
      { age: 89, count: 1_500 },
      { age: null, count: 1_500 },
    ]);
    expect(await readOutboxState(stage.database.em())).toMatchObject({ refused: '1500' });
  }),
);
