import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  catchFailure,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
} from '@saleschannel/testing';
import { withDeadLetters, type DeadLetters } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import { consume, createReport, REPORTED, startOperator, type Listening, type Operator } from './support/messaging.ts';

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
