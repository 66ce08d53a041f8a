import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  startProxy,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type Proxy,
  type TestPublisher,
} from '@saleschannel/testing';
import { QueueLevels, type QueueLevel } from '../src/index.ts';
import { consume, createReport, REPORTED, type Listening } from './support/messaging.ts';

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
