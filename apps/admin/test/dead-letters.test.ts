import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
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
import { runIn } from './support/admin.ts';

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
