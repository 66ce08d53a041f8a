import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { unavailable } from '@saleschannel/errors';
import type { ResponseOf } from '@saleschannel/grpc';
import { Broker, Consumer, type DeadLetter } from '@saleschannel/messaging';
import { sequence, silentLogger, type Part } from '@saleschannel/runtime';
import {
  alwaysAvailable,
  eventually,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
} from '@saleschannel/testing';
import { runIn, startAdmin, type Admin } from './support/admin.ts';

describe('dead letters', () => {
  const namespace = testNamespace();
  const environment = { AMQP_URL: testBrokerUrl(), AMQP_NAMESPACE: namespace };
  const TYPE = 'inventory.transaction.status-changed.v1';

  const event: TransactionStatusChanged = {
    eventId: 'event-1',
    salesChannelId: 'channel-1',
    transactionId: 'transaction-1',
    taskId: 'task-1',
    status: 'SUCCESS',
    reason: null,
    effectiveAt: '2026-01-01T00:00:00.000Z',
    traceparent: '',
  };

  let parts: Part;
  let publisher: TestPublisher;
  let isBroken = true;
  const handled: string[] = [];

  beforeAll(async () => {
    const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'events', logger: silentLogger });
    const consumer = new Consumer({
      broker,
      availability: alwaysAvailable,
      queue: 'events.log',
      prefetch: 10,
      maxBatchEntries: 10,
      logger: silentLogger,
      async handle(entries) {
        if (isBroken) throw new Error('a fault of the consumer');
        for (const entry of entries) handled.push(entry.event.eventId);
      },
    });
    parts = sequence(broker, consumer);
    await parts.start();
    publisher = await startPublisher(namespace);
  });
  afterAll(async () => {
    await publisher.stop();
    await parts.stop();
  });

  const list = async (): Promise<DeadLetter[]> =>
    (await runIn(environment, 'dead-letters', 'list', 'events.log')).json() as DeadLetter[];

  test('a dead letter is listed, kept, and handled after a replay', async () => {
    await publisher.publish(TYPE, [event]);
    const [letter] = await eventually(async () => {
      const letters = await list();
      return letters.length > 0 && letters;
    }, 'the dead letter');
    expect(letter).toMatchObject({
      queue: 'events.log',
      type: TYPE,
      reason: 'a fault of the consumer',
      body: expect.stringContaining('event-1'),
    });
    await eventually(async () => (await list()).length === 1, 'the dead letter to stay');

    isBroken = false;
    const replay = await runIn(environment, 'dead-letters', 'replay', 'events.log', '--limit', '5');
    expect({ exitCode: replay.exitCode, answer: replay.json() }).toEqual({
      exitCode: 0,
      answer: { queue: 'events.log', replayed: 1 },
    });
    await eventually(async () => handled.includes('event-1'), 'the event to be handled');
    expect(await list()).toEqual([]);
  });

  test('an undeclared queue is an error', async () => {
    const elsewhere = { ...environment, AMQP_NAMESPACE: testNamespace() };
    const { exitCode, errors } = await runIn(elsewhere, 'dead-letters', 'list', 'events.log');
    expect(exitCode).toBe(1);
    expect(errors).toContain('admin dead-letters list: ');
  });

  test('an unreachable broker is an error', async () => {
    const nowhere = { ...environment, AMQP_URL: 'amqp://127.0.0.1:1' };
    const { exitCode, errors } = await runIn(nowhere, 'dead-letters', 'replay', 'events.log');
    expect(exitCode).toBe(1);
    expect(errors).toContain('ECONNREFUSED');
  });

  test('unbind keeps bindings that this release needs, and fails for an undeclared queue', async () => {
    const empty = { ...environment, AMQP_NAMESPACE: testNamespace() };
    const needed = await runIn(empty, 'unbind', 'events.log', TYPE);
    expect(needed.exitCode).toBe(1);
    expect(needed.errors).toContain(`events.log needs ${TYPE} in this release`);
    const missing = await runIn(empty, 'unbind', 'events.log', 'inventory.transaction.status-changed.v9');
    expect(missing.exitCode).toBe(1);
    expect(missing.errors).toContain('NOT_FOUND');
  });
});

describe('reconcile', () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await startAdmin();
  });
  beforeEach(() => {
    admin.asked.length = 0;
    admin.comparisons.length = 0;
  });
  afterAll(() => admin.stop());

  type Comparison = ResponseOf<'reconciliation.Reconcile'>;

  const channel = { salesChannelId: 'c1', last: '9', upto: '4', highest: '6', missing: '4' };
  const lacking = (republished: number): Comparison => ({
    consumers: [
      { consumer: 'events', lagEntries: '4', lagSeconds: 90.5, republished, channels: [channel], isComplete: false },
      { consumer: 'tasks', fault: 'no answer' },
    ],
    hasMore: republished > 0,
  });
  const complete: Comparison = {
    consumers: [
      { consumer: 'events', isComplete: true },
      { consumer: 'tasks', isComplete: true },
    ],
  };
  const nothing = { lagEntries: '0', lagSeconds: 0, republished: '0', channels: [] };
  const requests = (): unknown[] => admin.asked.map(({ request }) => request);

  test('reconcile republishes until nothing is left, and reports the total', async () => {
    admin.comparisons.push(lacking(3), lacking(1), lacking(0));
    const { exitCode, json } = await admin.run('reconcile', '--channel', 'c1');
    expect(exitCode).toBe(0);
    expect(json()).toEqual([
      {
        consumer: 'events',
        isComplete: false,
        lagEntries: '4',
        lagSeconds: 90.5,
        republished: '4',
        channels: [channel],
      },
      { consumer: 'tasks', isComplete: false, fault: 'no answer', ...nothing },
    ]);
    expect(requests()).toEqual([1, 2, 3].map(() => ({ salesChannelId: 'c1', onlyLook: false })));
  });

  test('reconcile --status compares once and republishes nothing', async () => {
    admin.comparisons.push(lacking(0));
    const { json } = await admin.run('reconcile', '--status');
    expect(json()).toMatchObject([{ consumer: 'events', republished: '0' }, { consumer: 'tasks' }]);
    expect(requests()).toEqual([{ onlyLook: true }]);
  });

  test('reconcile --wait ends when nothing is missing', async () => {
    admin.comparisons.push(lacking(4), lacking(0), complete);
    const { json } = await admin.run('reconcile', '--wait');
    expect(json()).toEqual([
      { consumer: 'events', isComplete: true, ...nothing, republished: '4' },
      { consumer: 'tasks', isComplete: true, ...nothing },
    ]);
    expect(admin.comparisons).toEqual([]);
  });

  test('an unreachable inventory is an error that names its variable', async () => {
    admin.fail(unavailable(new Error('away')));
    const { exitCode, errors } = await admin.run('reconcile');
    admin.fail(undefined);
    expect(exitCode).toBe(1);
    expect(errors).toContain('INVENTORY_ADDRESS');
  });

  test('reconcile needs only the key and the address of inventory', async () => {
    const { SERVICE_PRIVATE_KEY, INVENTORY_ADDRESS } = admin.environment;
    expect((await runIn({ SERVICE_PRIVATE_KEY, INVENTORY_ADDRESS }, 'reconcile')).exitCode).toBe(0);
    const { exitCode, errors } = await runIn({ SERVICE_PRIVATE_KEY }, 'reconcile');
    expect(exitCode).toBe(2);
    expect(errors).toContain('INVENTORY_ADDRESS is not set');
  });
});
