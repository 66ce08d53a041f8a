import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IntegrationEvent } from '@saleschannel/contracts';
import { createBroker, createConsumer } from '@saleschannel/messaging';
import { sequence, silentLogger, type Part } from '@saleschannel/runtime';
import { eventually, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { run } from './harness.ts';

const namespace = testNamespace();
const environment = { AMQP_URL: testBrokerUrl(), AMQP_NAMESPACE: namespace };
const TYPE = 'inventory.transaction.status-changed.v1';

const event: IntegrationEvent<typeof TYPE> = {
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
let publish: (type: string, body: unknown) => Promise<void>;
let isBroken = true;
const handled: string[] = [];

beforeAll(async () => {
  const broker = createBroker({ url: testBrokerUrl(), namespace, service: 'events', logger: silentLogger });
  const consumer = createConsumer({
    broker,
    queue: 'events.log',
    prefetch: 10,
    batchEntriesAtMost: 10,
    logger: silentLogger,
    async handle(entries) {
      if (isBroken) throw new Error('a fault of the consumer');
      for (const entry of entries) handled.push(entry.event.eventId);
    },
  });
  let ready!: () => void;
  const declared = new Promise<void>((resolve) => (ready = resolve));
  broker.use(async (channel) => {
    publish = async (type, body) => {
      channel.publish(`${namespace}.events`, type, Buffer.from(JSON.stringify(body)), {
        type,
        contentType: 'application/json',
        persistent: true,
      });
      await channel.waitForConfirms();
    };
    ready();
  });
  parts = sequence(broker, consumer);
  await parts.start();
  await declared;
});
afterAll(() => parts.stop());

test('a message that cannot be handled is shown, stays, and is handled after a replay', async () => {
  await publish(TYPE, { entries: [event] });

  const list = async () =>
    (await run(environment, 'dead-letters', 'list', 'events.log')).json() as {
      type: string;
      reason: string;
      body: string;
    }[];
  const [letter] = await eventually(async () => {
    const letters = await list();
    return letters.length > 0 && letters;
  }, 'the dead letter');
  expect(letter).toMatchObject({ queue: 'events.log', type: TYPE });
  expect(letter!.body).toContain('event-1');
  await eventually(async () => (await list()).length === 1, 'the letter to be there still');

  isBroken = false;
  const replay = await run(environment, 'dead-letters', 'replay', 'events.log', '--limit', '5');
  expect({ exitCode: replay.exitCode, answer: replay.json() }).toEqual({
    exitCode: 0,
    answer: { queue: 'events.log', replayed: 1 },
  });
  await eventually(async () => handled.includes('event-1'), 'the event to be handled');
  expect(await list()).toEqual([]);
});

test('a queue that nobody has declared yet is an error in words', async () => {
  const { exitCode, errors } = await run(
    { ...environment, AMQP_NAMESPACE: testNamespace() },
    'dead-letters',
    'list',
    'events.log',
  );
  expect(exitCode).toBe(1);
  expect(errors).toContain('admin dead-letters list: ');
});

test('a broker that is away is an error in words', async () => {
  const { exitCode, errors } = await run(
    { ...environment, AMQP_URL: 'amqp://127.0.0.1:1' },
    'dead-letters',
    'replay',
    'events.log',
  );
  expect(exitCode).toBe(1);
  expect(errors).toContain('ECONNREFUSED');
});
