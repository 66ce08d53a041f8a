import { expect, test } from '@jest/globals';
import { AvailabilityWatch, query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, startProxy, testBrokerUrl, withOwn } from '@saleschannel/testing';
import { Relay } from '../src/index.ts';
import { DELIVERY_LIMIT } from '../src/topology.ts';
import { startFixture, type Fixture } from './support/fixture.ts';
import { brokerOf, commit, consume, reported, REPORTED, type Listening } from './support/stage.ts';

/** A replica that has lost the database or the broker, and not the other one, leaves its work to others. */

/** Gives each test a fixture of its own. They mostly wait, so they run at the same time. */
const isolate = (work: (fixture: Fixture) => Promise<void>) => withOwn(startFixture, work);

// No blocks: only tests of one block run at the same time.
const CONSUMER = 'a consumer that has lost its database';
const RELAY = 'a relay that has lost its broker';

const taskIds = (listening: Listening): string[] => listening.heard.map(({ event }) => event.taskId);
const heard = (listening: Listening, ids: readonly string[]): Promise<boolean> =>
  eventually(() => Promise.resolve(ids.every((id) => taskIds(listening).includes(id))), 'every entry');

/** A database that the test makes usable or not. */
async function switchedDatabase({
  kept,
}: Fixture): Promise<{ watch: AvailabilityWatch; turn(isUsable: boolean): Promise<unknown> }> {
  let isUsable = true;
  const watch = kept(new AvailabilityWatch({ probe: () => Promise.resolve(isUsable), lookMs: 5, lostAfterMs: 30 }));
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
  options: { batchEndsWithinMs?: number } = {},
): Promise<{ listening: Listening; begun: string[]; end(): void } & Awaited<ReturnType<typeof switchedDatabase>>> {
  const { namespace, operator, queue, kept } = fixture;
  const database = await switchedDatabase(fixture);
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
  kept({
    stop() {
      end();
      return listening.stop();
    },
  });
  await eventually(() => operator.isConsumed(queue), 'a consumer');
  return { ...database, listening, begun, end };
}

test.concurrent(
  `${CONSUMER} gives its messages back, those under way too, and consumes again when the database is back`,
  isolate(async (fixture) => {
    const { namespace, publisher, operator, queue, deadLetters } = fixture;
    const { begun, end, turn, listening } = await startHanging(fixture);
    const tasks = Array.from({ length: 5 }, () => newId());
    for (const id of tasks) await publisher.publish(REPORTED, [reported(id)]);
    await eventually(() => Promise.resolve(begun.length > 0), 'a batch');
    await turn(false);
    const healthy = await consume({ namespace });
    await heard(healthy, tasks);
    await healthy.stop();
    expect(listening.heard).toEqual([]);
    // There is time for the batch to end.
    expect(listening.consumer.isWell).toBe(true);
    await turn(true);
    // Its batch has not ended, so it takes nothing yet.
    await publisher.publish(REPORTED, [reported()]);
    await eventually(async () => (await operator.waiting(queue)) === 1, 'a message that nobody takes');
    expect(await operator.isConsumed(queue)).toBe(false);
    end();
    await eventually(async () => (await operator.waiting(queue)) === 0, 'the message taken');
    expect(await deadLetters()).toEqual([]);
  }),
);

test.concurrent(
  `${CONSUMER} is not well, which ends the process, while a batch goes on after its messages went back`,
  isolate(async (fixture) => {
    const { publisher, operator, queue } = fixture;
    const { begun, end, turn, listening } = await startHanging(fixture, { batchEndsWithinMs: 1 });
    const isWell = (): Promise<boolean> => Promise.resolve(listening.consumer.isWell);
    await publisher.publish(REPORTED, [reported()]);
    await eventually(() => Promise.resolve(begun.length > 0), 'a batch');
    expect(await isWell()).toBe(true);
    await turn(false);
    await eventually(async () => !(await isWell()), 'a consumer that is not well');
    await eventually(async () => (await operator.waiting(queue)) === 1, 'the message given back');
    await turn(true);
    expect(await isWell()).toBe(false);
    end();
    await eventually(isWell, 'a consumer that is well');
  }),
);

test.concurrent(
  `${CONSUMER} is well when no batch was under way`,
  isolate(async (fixture) => {
    const { turn, listening } = await startHanging(fixture, { batchEndsWithinMs: 0 });
    await turn(false);
    expect(listening.consumer.isWell).toBe(true);
    await turn(true);
    expect(listening.consumer.isWell).toBe(true);
  }),
);

test.concurrent(
  `${CONSUMER} makes no dead letter of a good message, however often the database comes and goes`,
  isolate(async (fixture) => {
    const { namespace, publisher, operator, queue, kept, deadLetters } = fixture;
    const database = await switchedDatabase(fixture);
    let isBack = false;
    let deliveries = 0;
    const listening = kept(
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
    await publisher.publish(REPORTED, [reported(task)]);
    for (let outage = 0; outage <= DELIVERY_LIMIT + 2; outage++) {
      const before = deliveries;
      await eventually(() => Promise.resolve(deliveries > before), `delivery ${outage}`);
      await database.turn(false);
      await eventually(async () => (await operator.waiting(queue)) === 1, 'the message given back');
      await database.turn(true);
    }
    isBack = true;
    await heard(listening, [task]);
    expect(await deadLetters()).toEqual([]);
  }),
);

test.concurrent(
  'a consumer whose broker does not answer when it gives back leaves the connection',
  isolate(async (fixture) => {
    const { namespace, operator, queue, kept } = fixture;
    const proxy = kept(await startProxy(testBrokerUrl()));
    const database = await switchedDatabase(fixture);
    // The heartbeat alone would take minutes.
    const options = { namespace, url: proxy.url, heartbeatSeconds: 60, availability: database.watch };
    kept(await consume(options));
    await eventually(() => operator.isConsumed(queue), 'a consumer');
    const before = proxy.opened;
    proxy.swallow();
    await database.turn(false);
    await eventually(() => Promise.resolve(proxy.opened > before), 'another connection');
    proxy.restore();
  }),
);

async function startRelay({ namespace, stage, kept }: Fixture, brokerUrl?: string): Promise<Relay> {
  const broker = kept(brokerOf(namespace, brokerUrl, silentLogger, 1));
  const relay = new Relay({ databaseUrl: stage.databaseUrl, broker, service: 'test', logger: silentLogger });
  await broker.start();
  await kept<Part>(relay).start();
  return relay;
}
const published = ({ stage }: Fixture): Promise<unknown> =>
  eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');

test.concurrent(
  `${RELAY} leaves the outbox to one that has it, and takes it over again`,
  isolate(async (fixture) => {
    const { namespace, stage, kept } = fixture;
    const listening = kept(await consume({ namespace }));
    const proxies = [kept(await startProxy(testBrokerUrl())), kept(await startProxy(testBrokerUrl()))] as const;
    const first = await startRelay(fixture, proxies[0].url);
    await first.drained();
    await startRelay(fixture, proxies[1].url);
    const sent: string[] = [];
    const send = async (): Promise<void> => {
      const task = newId();
      sent.push(task);
      await commit(stage.database, REPORTED, [reported(task)]);
      await published(fixture);
      await heard(listening, sent);
    };
    proxies[0].swallow();
    await send();
    proxies[0].restore();
    proxies[1].swallow();
    await send();
    await first.drained();
  }),
);

test.concurrent(
  `${RELAY} and nobody has one: keeps its session, by which it tells how much waits, and no lock`,
  isolate(async (fixture) => {
    const { stage, kept } = fixture;
    const proxy = kept(await startProxy(testBrokerUrl()));
    const relay = await startRelay(fixture, proxy.url);
    await relay.drained();
    proxy.cut();
    const state = sql`
      select count(*) filter (where locktype = 'advisory')::int as locks, count(distinct activity.pid)::int as sessions
      from pg_stat_activity as activity left join pg_locks using (pid)
      where application_name = 'test-relay' and datname = current_database()`;
    await eventually(async () => {
      const [row] = await query<{ locks: number; sessions: number }>(stage.database.em(), state);
      return row?.locks === 0 && row.sessions === 1;
    }, 'a session without the lock');
  }),
);
