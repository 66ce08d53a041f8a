import { afterEach, beforeEach, expect, test, describe } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  catchFailure,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
  startProxy,
  type Proxy,
} from '@saleschannel/testing';
import { withDeadLetters, type DeadLetters, QueueLevels, type QueueLevel } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import { consume, createReport, REPORTED, startOperator, type Listening, type Operator } from './support/messaging.ts';

describe('levels of queues', () => {
  let namespace: string;
  let proxy: Proxy;
  let levels: QueueLevels;
  let publisher: TestPublisher;
  let listening: Listening | undefined;

  beforeEach(async () => {
    namespace = testNamespace();
    proxy = await startProxy(testBrokerUrl());
    levels = new QueueLevels(proxy.url, namespace);
    publisher = await startPublisher(namespace);
  });
  afterEach(async () => {
    levels.close();
    await listening?.stop();
    listening = undefined;
    await publisher.stop();
    await proxy.stop();
  });

  const outcomes = async (): Promise<QueueLevel | undefined> =>
    (await levels.read()).find(({ queue }) => queue === 'tasks.outcomes');

  test('undeclared queues are empty, with one level per family', async () => {
    const none = { messages: 0, consumers: 0, deadLetters: 0 };
    const families = ['inventory.transfers', 'tasks.outcomes', 'events.log'];
    expect(await levels.read()).toEqual(families.map((queue) => ({ queue, ...none })));
  });

  test('consumers and dead letters are counted, over one connection', async () => {
    listening = await consume({ namespace, handle: () => Promise.reject(new Error('broken')) });
    await publisher.publish(REPORTED, [createReport(newId())]);
    await eventually(async () => (await outcomes())?.deadLetters === 1, 'a dead letter');
    expect(await outcomes()).toEqual({ queue: 'tasks.outcomes', messages: 0, consumers: 1, deadLetters: 1 });
    expect(proxy.opened).toBe(1);
  });

  test('reads fail without a broker, and succeed again afterwards', async () => {
    await levels.read();
    proxy.cut();
    await expect(levels.read()).rejects.toThrow();
    await expect(levels.read()).rejects.toThrow();
    proxy.restore();
    expect(await levels.read()).toHaveLength(3);
  });
});

describe('dead letters', () => {
  const DEFAULT_LIMIT = 20;

  let namespace: string;
  let publisher: TestPublisher;
  let operator: Operator;
  let listening: Listening;
  let isBroken: boolean;

  beforeEach(async () => {
    isBroken = true;
    namespace = testNamespace();
    publisher = await startPublisher(namespace);
    operator = await startOperator();
    // The default limit of RabbitMQ 4 for a quorum queue.
    await operator.channel.assertQueue(brokerNames(namespace).deadLetterQueue('tasks.outcomes'), {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': DEFAULT_LIMIT },
    });
    listening = await consume({
      namespace,
      handle: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()),
    });
  });
  afterEach(async () => {
    await listening.stop();
    await operator.stop();
    await publisher.stop();
  });

  const withLetters = <T>(work: (letters: DeadLetters) => Promise<T>): Promise<T> =>
    withDeadLetters(testBrokerUrl(), namespace, work);
  const deadLettered = (count: number) =>
    eventually(
      async () => (await withLetters((letters) => letters.list('tasks.outcomes', 100))).length === count,
      `${count} dead letters`,
    );

  test('reading dead letters keeps them, and replayed ones are handled', async () => {
    const tasks = [newId(), newId(), newId()];
    for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
    await deadLettered(3);
    const first = await withLetters((letters) => letters.list('tasks.outcomes', 2));
    expect(first).toMatchObject([{ queue: 'tasks.outcomes', type: REPORTED, reason: 'broken' }, {}]);
    await deadLettered(3);
    isBroken = false;
    expect(await withLetters((letters) => letters.replay('tasks.outcomes', 2))).toBe(2);
    await deadLettered(1);
    expect(await withLetters((letters) => letters.replay('tasks.outcomes', 100))).toBe(1);
    await eventually(() => Promise.resolve(listening.heard.length === 3));
    expect(listening.heard.map(({ event }) => event.taskId).toSorted()).toEqual(tasks.toSorted());
    expect(await withLetters((letters) => letters.list('tasks.outcomes', 100))).toEqual([]);
  });

  test('a letter whose queue is missing cannot be replayed and stays', async () => {
    await publisher.publish(REPORTED, [createReport()]);
    await deadLettered(1);
    await listening.stop();
    await operator.channel.deleteQueue(brokerNames(namespace).queue('tasks.outcomes'));
    const failure = await catchFailure(withLetters((letters) => letters.replay('tasks.outcomes', 100)));
    expect(failure.message).toContain('no queue takes');
    await deadLettered(1);
  });

  test('letters stay in order after any number of reads', async () => {
    const tasks = [newId(), newId(), newId()];
    for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
    await deadLettered(3);
    const first = await withLetters((letters) => letters.list('tasks.outcomes', 100));
    for (let count = 0; count < 2 * DEFAULT_LIMIT; count++) {
      expect(await withLetters((letters) => letters.list('tasks.outcomes', 100))).toEqual(first);
    }
    expect(first.map(({ reason }) => reason)).toEqual(['broken', 'broken', 'broken']);
  });

  test('letters stay after any number of failed replays', async () => {
    await publisher.publish(REPORTED, [createReport()]);
    await deadLettered(1);
    await listening.stop();
    await operator.channel.deleteQueue(brokerNames(namespace).queue('tasks.outcomes'));
    for (let count = 0; count < 2 * DEFAULT_LIMIT; count++) {
      await catchFailure(withLetters((letters) => letters.replay('tasks.outcomes', 100)));
    }
    await deadLettered(1);
  });
});
