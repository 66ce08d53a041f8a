import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { publishConfirmed } from './amqp.ts';
import { connectInProcess } from './in-process-broker.ts';
import { declareExchanges, declareQueue, DELIVERY_LIMIT, brokerNames } from './topology.ts';

/** Behavior that the in-process broker must share with RabbitMQ, because this system relies on it. */

const NAMESPACE = 'test';
const QUEUE = 'tasks.outcomes';
const TYPE = 'inventory.transfer.reported.v1';
const name = brokerNames(NAMESPACE);

let url: string;
let model: ChannelModel;
const models: ChannelModel[] = [];

async function open(): Promise<{ model: ChannelModel; channel: ConfirmChannel }> {
  const connection = connectInProcess(url);
  models.push(connection);
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  await declareExchanges(channel, NAMESPACE);
  return { model: connection, channel };
}

let channel: ConfirmChannel;
beforeEach(async () => {
  url = `in-process:${newId()}`;
  ({ model, channel } = await open());
  const declarer = {
    namespace: NAMESPACE,
    declareQueue: async (queue: string, queueArguments: object) =>
      void (await channel.assertQueue(queue, { arguments: queueArguments })),
  };
  await declareQueue(channel, declarer, QUEUE);
});
afterEach(async () => {
  for (const each of models.splice(0)) await each.close();
});

const publish = (publisher: ConfirmChannel, body: string, routingKey = TYPE): Promise<void> =>
  publishConfirmed(publisher, { exchange: name.exchange, routingKey }, Buffer.from(body), { type: TYPE });

/** Consumes without an end, and records the messages. */
async function consume(prefetch = 0): Promise<{
  model: ChannelModel;
  channel: ConfirmChannel;
  received: ConsumeMessage[];
}> {
  const opened = await open();
  const received: ConsumeMessage[] = [];
  await opened.channel.prefetch(prefetch);
  await opened.channel.consume(name.queue(QUEUE), (message) => void (message && received.push(message)));
  return { ...opened, received };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bodies = (messages: readonly ConsumeMessage[]): string[] => messages.map(({ content }) => content.toString());

test('an unroutable message is returned to its publisher', async () => {
  expect((await catchFailure(publish(channel, '1', 'unknown'))).message).toContain('no queue takes unknown');
});

test('a consumer gets no more than its prefetch, in order, and the next when it acknowledges', async () => {
  const { channel: consuming, received } = await consume(2);
  const published = ['1', '2', '3'].map((body) => publish(channel, body));
  for (const each of published) each.catch(() => undefined);
  await nextTurn();
  expect(bodies(received)).toEqual(['1', '2']);
  consuming.ack(received[0] as ConsumeMessage);
  await published[0];
  await nextTurn();
  expect(bodies(received)).toEqual(['1', '2', '3']);
});

test('messages of a closed channel return to their place, with a count of returns', async () => {
  const first = await consume(2);
  for (const body of ['1', '2', '3']) publish(channel, body).catch(() => undefined);
  await nextTurn();
  await first.model.close();
  const second = await consume();
  await nextTurn();
  expect(bodies(second.received)).toEqual(['1', '2', '3']);
  expect(second.received.map(({ properties }) => properties.headers?.['x-delivery-count'] as unknown)).toEqual([
    1,
    1,
    undefined,
  ]);
});

test('a message returned too often is refused, with its content', async () => {
  const published = catchFailure(publish(channel, '1'));
  for (let count = 0; count <= DELIVERY_LIMIT; count++) {
    const consumer = await consume();
    await nextTurn();
    expect(bodies(consumer.received)).toEqual(['1']);
    await consumer.model.close();
  }
  expect(await published).toMatchObject({
    name: 'RefusedByConsumersError',
    parts: [{ queue: name.queue(QUEUE), reason: 'delivery_limit' }],
  });
});

test('queued messages of a disconnected publisher are no longer delivered', async () => {
  const publisher = await open();
  const failed = catchFailure(publish(publisher.channel, '1'));
  await publisher.model.close();
  expect((await failed).message).toContain('closed');
  publish(channel, '2').catch(() => undefined);
  const { received } = await consume();
  await nextTurn();
  expect(bodies(received)).toEqual(['2']);
});

test('deleting a queue confirms none of its messages, and notifies its consumers', async () => {
  const { channel: consuming, received } = await consume(1);
  const failed = ['1', '2'].map((body) => catchFailure(publish(channel, body)));
  await nextTurn();
  const notified = new Promise((resolve) =>
    consuming.consume(name.queue(QUEUE), (message) => void (message === null && resolve(undefined))),
  );
  await channel.deleteQueue(name.queue(QUEUE));
  await notified;
  await failed[1];
  // The queue that it would return to is gone.
  await consuming.close();
  await failed[0];
  expect(bodies(received)).toEqual(['1']);
});

test('checking a missing queue closes the channel, and no other one', async () => {
  const other = await model.createConfirmChannel();
  const closed = new Promise((resolve) => channel.once('close', resolve));
  expect(await catchFailure(channel.checkQueue('nothing') as unknown as Promise<unknown>)).toMatchObject({ code: 404 });
  await closed;
  expect((await catchFailure(publish(channel, '1'))).message).toContain('closed');
  await other.checkQueue(name.queue(QUEUE));
});

test('a throwing consumer affects only itself', async () => {
  const opened = await open();
  const failed = new Promise<Error>((resolve) => opened.channel.once('handler-error', resolve));
  await opened.channel.consume(name.queue(QUEUE), () => {
    throw new Error('it hurts');
  });
  publish(channel, '1').catch(() => undefined);
  expect((await failed).message).toBe('it hurts');
});

test('a consumer does not run in the context of the publisher', async () => {
  const service = new AsyncLocalStorage<string>();
  const { channel: consumer } = await open();
  const context = new Promise<string | undefined>((resolve) => {
    void service.run('consumer', () => consumer.consume(name.queue(QUEUE), () => resolve(service.getStore())));
  });
  await service.run('publisher', () => void publish(channel, 'one').catch(() => undefined));
  expect(await context).toBe('consumer');
});
