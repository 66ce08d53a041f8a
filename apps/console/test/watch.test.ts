import { describe, expect, test } from '@jest/globals';
import { createTokenVerifier } from '@saleschannel/auth';
import { createGrpcServer } from '@saleschannel/grpc';
import { QueueLevels } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import {
  eventually,
  neighbour,
  publicKeys,
  startProxy,
  testBrokerUrl,
  testNamespace,
  withOwn,
} from '@saleschannel/testing';
import { serviceNames, type Addresses } from '../src/environment.ts';
import { Watch, Rate } from '../src/watch/watch.ts';
import { adminCredentials } from './support/credentials.ts';

/** State that a test changes. */
interface State {
  isUsable: boolean;
  nowMs: number;
}

/** Starts a watch. `tasks` is behind a proxy, and the other services cannot be reached. */
async function startFixture() {
  const state: State = { isUsable: true, nowMs: Date.parse('2026-01-01T00:00:00Z') };
  let changes = 0;
  const tasks = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      neighbour('activity', ['admin'], {
        GetActivity: async () => ({
          outbox: { ageSeconds: 1.5, refused: '2' },
          changes: (changes += 10),
          waitingTasks: 7,
        }),
      }),
    ],
    tokens: createTokenVerifier(publicKeys, 'tasks'),
    logger: silentLogger,
    foundation: { isUsable: async () => state.isUsable, toDomainError: (error) => error },
    healthIntervalMs: 5,
  });
  await tasks.start();
  const proxy = await startProxy(`http://${tasks.address}`);
  const broker = await startProxy(testBrokerUrl());
  const addresses = Object.fromEntries(serviceNames.map((name) => [name, '127.0.0.1:1'])) as Record<string, string>;
  addresses['tasks'] = new URL(proxy.url).host;
  const watch = new Watch({
    connection: {
      addresses: addresses as Addresses,
      tokens: await adminCredentials(),
    },
    levels: new QueueLevels(broker.url, testNamespace()),
    closing: new AbortController().signal,
    now: () => state.nowMs,
    logger: silentLogger,
  });
  await watch.start();
  // A viewer.
  watch.subscribe(() => undefined);
  const partOf = (name: string) => watch.latest.services.find((each) => each.name === name);
  const becomes = (name: string, status: string) =>
    eventually(async () => partOf(name)?.status === status && partOf(name), `${name} to be ${status}`);
  return {
    state,
    proxy,
    broker,
    watch,
    partOf,
    becomes,
    async stop() {
      for (const part of [watch, proxy, broker, tasks]) await part.stop();
    },
  };
}

/** Gives each test its own fixture. The tests mostly wait, so they run concurrently. */
const isolate = (work: (fixture: Awaited<ReturnType<typeof startFixture>>) => Promise<void>) =>
  withOwn(startFixture, work);

test.concurrent(
  'a service without its database is impaired, a silent one is down, and the time of the change is known',
  isolate(async ({ state, proxy, partOf, becomes }) => {
    expect(partOf('tasks')?.status).toBe('UNKNOWN');
    await becomes('tasks', 'UP');
    const up = partOf('tasks')?.since;
    state.nowMs += 60_000;
    await eventually(async () => partOf('tasks')?.checkedAt !== up, 'another check');
    expect(partOf('tasks')?.since).toBe(up);
    state.isUsable = false;
    expect(await becomes('tasks', 'IMPAIRED')).toMatchObject({ since: '2026-01-01T00:01:00.000Z' });
    state.isUsable = true;
    await becomes('tasks', 'UP');
    proxy.freeze();
    await becomes('tasks', 'DOWN');
    expect(partOf('rbac')?.status).toBe('DOWN');
  }),
);

test.concurrent(
  'a snapshot contains the services that answer, and nothing else',
  isolate(async ({ proxy, watch }) => {
    const snapshot = await eventually(async () => watch.latest.rates.tasks !== null && watch.latest, 'a rate');
    expect(snapshot).toMatchObject({
      rates: { ledger: null, events: null },
      waitingTasks: 7,
      unfinishedImports: null,
      outboxes: [{ service: 'tasks', ageSeconds: 1.5, refused: 2 }],
    });
    expect(snapshot.rates.tasks).toBeGreaterThan(0);
    proxy.cut();
    await eventually(async () => watch.latest.waitingTasks === null, 'a snapshot without tasks');
    expect(watch.latest).toMatchObject({ rates: { tasks: null }, outboxes: [] });
  }),
);

test.concurrent(
  'a lost broker is down and delays nothing, and is up again once it returns',
  isolate(async ({ broker, watch, becomes }) => {
    await becomes('broker', 'UP');
    expect(watch.queues).toHaveLength(3);
    broker.cut();
    await becomes('broker', 'DOWN');
    expect([watch.queues, watch.latest.queues]).toEqual([undefined, []]);
    await becomes('tasks', 'UP');
    broker.restore();
    await becomes('broker', 'UP');
  }),
);

test.concurrent(
  'a silent broker is down',
  isolate(async ({ state, broker, watch, becomes }) => {
    await becomes('broker', 'UP');
    broker.freeze();
    await becomes('broker', 'DOWN');
    const { at } = watch.latest;
    state.nowMs += 1_000;
    await eventually(async () => watch.latest.at !== at, 'another snapshot');
  }),
);

test.concurrent(
  'a subscriber gets each new snapshot until it unsubscribes',
  isolate(async ({ state, watch }) => {
    const got: string[] = [];
    const end = watch.subscribe(({ at }) => got.push(at));
    expect(watch.subscriberCount).toBe(2);
    state.nowMs += 1_000;
    await eventually(async () => got.length > 0, 'a snapshot');
    end();
    expect(watch.subscriberCount).toBe(1);
  }),
);

describe('rates', () => {
  const rateOf = (...samples: [count: bigint | undefined, atMs: number][]): number | null => {
    const rate = new Rate();
    for (const [count, atMs] of samples) rate.add(count, atMs);
    return rate.perSecond;
  };

  test('a rate needs two counts, and covers the last six', () => {
    expect(rateOf()).toBeNull();
    expect(rateOf([5n, 0])).toBeNull();
    expect(rateOf([5n, 0], [10n, 2_000])).toBe(2.5);
    const slowThenFast = [0n, 0n, 10n, 20n, 30n, 40n, 50n].map((count, index): [bigint, number] => [
      count,
      index * 1_000,
    ]);
    expect(rateOf(...slowThenFast)).toBe(10);
  });

  test('differences of large counts are exact', () => {
    expect(rateOf([9_007_199_254_740_993n, 0], [9_007_199_254_740_994n, 1_000])).toBe(1);
  });

  test('a missing or smaller count restarts the measurement', () => {
    expect(rateOf([5n, 0], [undefined, 1_000], [50n, 2_000])).toBeNull();
    expect(rateOf([50n, 0], [5n, 1_000])).toBeNull();
    expect(rateOf([50n, 0], [5n, 1_000], [8n, 2_000])).toBe(3);
  });
});
