import { expect, test } from '@jest/globals';
import { AvailabilityWatch, query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, startProxy, testBrokerUrl, withOwn } from '@saleschannel/testing';
import { Relay } from '../src/index.ts';
import { DELIVERY_LIMIT } from '../src/topology.ts';
import {
  startFixture,
  type Fixture,
  createBroker,
  commit,
  consume,
  createReport,
  REPORTED,
  type Listening,
  heardAll,
} from './support/messaging.ts';

/** Handover of work by a replica that has lost either its database or its broker. */

/** Runs each test with a fixture of its own. They mostly wait, so they run concurrently. */
const isolate = (work: (fixture: Fixture) => Promise<void>) => withOwn(startFixture, work);

// No describe blocks: only tests of one block run concurrently.
const CONSUMER = 'a consumer that lost its database';
const RELAY = 'a relay that lost its broker';

/** A database that the test switches on and off. */
async function createSwitchableDatabase({
  track,
}: Fixture): Promise<{ watch: AvailabilityWatch; turn(isUsable: boolean): Promise<unknown> }> {
  let isUsable = true;
  const watch = track(
    new AvailabilityWatch({ probe: () => Promise.resolve(isUsable), probeEveryMs: 5, lostAfterMs: 30 }),
  );
  await watch.start();
  return {
    watch,
    turn(isUsableNow) {
      isUsable = isUsableNow;
      return eventually(() => Promise.resolve(watch.isLost === !isUsableNow), `lost: ${!isUsableNow}`);
    },
  };
}

/** A replica whose batches wait for a database that never answers. */
async function startHanging(
  fixture: Fixture,
  options: { maxBatchMs?: number } = {},
): Promise<
  { listening: Listening; begun: string[]; end(): void } & Awaited<ReturnType<typeof createSwitchableDatabase>>
> {
  const { namespace, operator, queue, track } = fixture;
  const database = await createSwitchableDatabase(fixture);
  const begun: string[] = [];
  const answer = Promise.withResolvers<void>();
  const listening = await consume({
    ...options,
    namespace,
    availability: database.watch,
    async handle(entries) {
      begun.push(...entries.map(({ event }) => event.taskId));
      await answer.promise;
    },
  });
  const end = (): void => answer.resolve();
  track({
    stop() {
      end();
      return listening.stop();
    },
  });
  await eventually(() => operator.isConsumed(queue), 'a consumer');
  return { ...database, listening, begun, end };
}

test.concurrent(
  `${CONSUMER} returns its messages, including the current batch, and resumes with the database`,
  isolate(async (fixture) => {
    const { namespace, publisher, operator, queue, deadLetters } = fixture;
    const { begun, end, turn, listening } = await startHanging(fixture);
    const tasks = Array.from({ length: 5 }, () => newId());
    for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
    await eventually(() => Promise.resolve(begun.length > 0), 'a batch');
    await turn(false);
    const healthy = await consume({ namespace });
    await heardAll(healthy, tasks);
    await healthy.stop();
    expect(listening.heard).toEqual([]);
    // The batch still has time to end.
    expect(listening.consumer.isHealthy).toBe(true);
    await turn(true);
    // Its batch has not ended, so it consumes nothing yet.
    await publisher.publish(REPORTED, [createReport()]);
    await eventually(async () => (await operator.waiting(queue)) === 1, 'an unconsumed message');
    expect(await operator.isConsumed(queue)).toBe(false);
    end();
    await eventually(async () => (await operator.waiting(queue)) === 0, 'an empty queue');
    expect(await deadLetters()).toEqual([]);
  }),
);

test.concurrent(
  `${CONSUMER} is unhealthy, which ends the process, while a batch continues after its messages were returned`,
  isolate(async (fixture) => {
    const { publisher, operator, queue } = fixture;
    const { begun, end, turn, listening } = await startHanging(fixture, { maxBatchMs: 1 });
    const isHealthy = (): Promise<boolean> => Promise.resolve(listening.consumer.isHealthy);
    await publisher.publish(REPORTED, [createReport()]);
    await eventually(() => Promise.resolve(begun.length > 0), 'a batch');
    expect(await isHealthy()).toBe(true);
    await turn(false);
    await eventually(async () => !(await isHealthy()), 'an unhealthy consumer');
    await eventually(async () => (await operator.waiting(queue)) === 1, 'the returned message');
    await turn(true);
    expect(await isHealthy()).toBe(false);
    end();
    await eventually(isHealthy, 'a healthy consumer');
  }),
);

test.concurrent(
  `${CONSUMER} is healthy without a running batch`,
  isolate(async (fixture) => {
    const { turn, listening } = await startHanging(fixture, { maxBatchMs: 0 });
    await turn(false);
    expect(listening.consumer.isHealthy).toBe(true);
    await turn(true);
    expect(listening.consumer.isHealthy).toBe(true);
  }),
);

test.concurrent(
  `${CONSUMER} makes no dead letter of a good message in any number of outages`,
  isolate(async (fixture) => {
    const { namespace, publisher, operator, queue, track, deadLetters } = fixture;
    const database = await createSwitchableDatabase(fixture);
    let isBack = false;
    let deliveries = 0;
    const listening = track(
      await consume({
        namespace,
        availability: database.watch,
        async handle() {
          deliveries++;
          if (!isBack) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
        },
      }),
    );
    const task = newId();
    await publisher.publish(REPORTED, [createReport(task)]);
    for (let outage = 0; outage <= DELIVERY_LIMIT + 2; outage++) {
      const before = deliveries;
      await eventually(() => Promise.resolve(deliveries > before), `delivery ${outage}`);
      await database.turn(false);
      await eventually(async () => (await operator.waiting(queue)) === 1, 'the returned message');
      await database.turn(true);
    }
    isBack = true;
    await heardAll(listening, [task]);
    expect(await deadLetters()).toEqual([]);
  }),
);

test.concurrent(
  'a consumer whose broker does not answer while it returns messages drops the connection',
  isolate(async (fixture) => {
    const { namespace, operator, queue, track } = fixture;
    const proxy = track(await startProxy(testBrokerUrl()));
    const database = await createSwitchableDatabase(fixture);
    // The heartbeat alone would take minutes.
    const options = { namespace, url: proxy.url, heartbeatSeconds: 60, availability: database.watch };
    track(await consume(options));
    await eventually(() => operator.isConsumed(queue), 'a consumer');
    const before = proxy.opened;
    proxy.blackhole();
    await database.turn(false);
    await eventually(() => Promise.resolve(proxy.opened > before), 'another connection');
    proxy.restore();
  }),
);

async function startRelay({ namespace, store, track }: Fixture, brokerUrl?: string): Promise<Relay> {
  const broker = track(createBroker(namespace, brokerUrl, silentLogger, 1));
  const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger: silentLogger });
  await broker.start();
  await track<Part>(relay).start();
  return relay;
}
const published = ({ store }: Fixture): Promise<unknown> =>
  eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');

test.concurrent(
  `${RELAY} leaves the outbox to a replica that has one, and takes over again`,
  isolate(async (fixture) => {
    const { namespace, store, track } = fixture;
    const listening = track(await consume({ namespace }));
    const proxies = [track(await startProxy(testBrokerUrl())), track(await startProxy(testBrokerUrl()))] as const;
    const first = await startRelay(fixture, proxies[0].url);
    await first.waitUntilDrained();
    await startRelay(fixture, proxies[1].url);
    const sent: string[] = [];
    const send = async (): Promise<void> => {
      const task = newId();
      sent.push(task);
      await commit(store.database, REPORTED, [createReport(task)]);
      await published(fixture);
      await heardAll(listening, sent);
    };
    proxies[0].blackhole();
    await send();
    proxies[0].restore();
    proxies[1].blackhole();
    await send();
    await first.waitUntilDrained();
  }),
);

test.concurrent(
  `${RELAY} keeps its session for the lag metric, but not the lock, when no replica has a broker`,
  isolate(async (fixture) => {
    const { store, track } = fixture;
    const proxy = track(await startProxy(testBrokerUrl()));
    const relay = await startRelay(fixture, proxy.url);
    await relay.waitUntilDrained();
    proxy.cut();
    const state = sql`
      select count(*) filter (where locktype = 'advisory')::int as locks, count(distinct activity.pid)::int as sessions
      from pg_stat_activity as activity left join pg_locks using (pid)
      where application_name = 'test-relay' and datname = current_database()`;
    await eventually(async () => {
      const [row] = await query<{ locks: number; sessions: number }>(store.database.em(), state);
      return row?.locks === 0 && row.sessions === 1;
    }, 'a session without the lock');
  }),
);
