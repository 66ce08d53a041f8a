import { randomBytes } from 'node:crypto';
import type { IntegrationEntry, IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import type { Availability } from '@saleschannel/database';
import {
  Broker,
  type QueueName,
  ledgerPartitionOf,
  ledgerPartitions,
  listenToBroadcasts,
  routingKeyOf,
} from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually } from './eventually.ts';

/** URL of the broker that Jest's global setup started. */
export function testBrokerUrl(): string {
  const url = process.env['TEST_AMQP_URL'];
  if (!url) throw new Error('TEST_AMQP_URL is not set. Run the tests with `npm run jest`.');
  return url;
}

/** Private namespace on the shared broker. */
export const testNamespace = (): string => `test-${randomBytes(6).toString('hex')}`;

export interface TestQueues {
  /** Number of messages ready for delivery. */
  depth(queue: QueueName): Promise<number>;
  purge(queue: QueueName): Promise<void>;
  remove(queue: QueueName): Promise<void>;
}

/** Gives access to queues as operators have it, to purge or delete them. */
export async function withQueues<T>(
  url: string,
  namespace: string,
  work: (queues: TestQueues) => Promise<T>,
): Promise<T> {
  const broker = new Broker({ url, namespace, service: 'test', logger: silentLogger });
  let opened: Channel | undefined;
  broker.use((channel) => Promise.resolve(void (opened = channel)));
  await broker.start();
  try {
    const channel = await eventually(() => Promise.resolve(opened), 'a channel');
    const toQueueName = (queue: QueueName): string => `${namespace}.${queue}`;
    return await work({
      depth: async (queue) => (await channel.checkQueue(toQueueName(queue))).messageCount,
      purge: async (queue) => void (await channel.purgeQueue(toQueueName(queue))),
      remove: async (queue) => void (await channel.deleteQueue(toQueueName(queue))),
    });
  } finally {
    await broker.stop();
  }
}

type Channel = Parameters<Parameters<Broker['use']>[0]>[0];

export interface TestPublisher {
  /** Publishes one envelope, as another service's relay would. Resolves when a queue has accepted it. */
  publish<T extends IntegrationEventType>(type: T, events: readonly IntegrationEvent<T>[]): Promise<void>;
  /** Publishes any content, even one that no service would send. Its type defaults to its routing key. */
  publishRaw(key: string, body: string, type?: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A transfer is routed to its partition of the ledger. One without certificates is routed as the previous release does.
 */
function toRoutingKey(type: IntegrationEventType, event: object): string {
  const [first] = 'assets' in event ? (event.assets as readonly { start: string }[]) : [];
  return routingKeyOf(type, first === undefined ? undefined : ledgerPartitionOf(first.start, ledgerPartitions.length));
}

/** Replaces the services that send events to the service under test. */
export async function startPublisher(namespace: string): Promise<TestPublisher> {
  const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
  let channel: Channel | undefined;
  const returned = new Set<string>();
  broker.use((fresh) => {
    channel = fresh;
    fresh.on('return', (message) => returned.add(String(message.properties.messageId)));
    return Promise.resolve();
  });
  await broker.start();
  const open = await eventually(() => Promise.resolve(channel), 'a channel');
  const once = (messageId: string, key: string, type: string, body: string): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const properties = { messageId, type, contentType: 'application/json', persistent: true, mandatory: true };
      open.publish(`${namespace}.events`, key, Buffer.from(body), properties, (error) =>
        error ? reject(error as Error) : resolve(!returned.delete(messageId)),
      );
    });
  // Retries, because the message is unroutable until the service under test has declared its queue.
  const publishRaw = async (key: string, body: string, type = key): Promise<void> => {
    await eventually(() => once(newId(), key, type, body), `a queue for ${key}`);
  };
  return {
    publishRaw,
    async publish(type, events) {
      for (const [key, some] of Map.groupBy(events, (event) => toRoutingKey(type, event)))
        await publishRaw(key, JSON.stringify({ entries: some }), type);
    },
    stop: () => broker.stop(),
  };
}

export interface TestListener<T extends IntegrationEventType> {
  readonly entries: IntegrationEntry<T>[];
  stop(): Promise<void>;
}

/** Receives the events that the service under test sends. */
export async function startListener<T extends IntegrationEventType>(
  namespace: string,
  events: readonly T[],
  url = testBrokerUrl(),
): Promise<TestListener<T>> {
  const broker = new Broker({ url, namespace, service: 'test', logger: silentLogger });
  const entries: IntegrationEntry<T>[] = [];
  let ready = false;
  // Ready when its queue is bound, which is later than its channel.
  const bound = {
    namespace,
    use: (setup: (channel: Channel) => Promise<void>) =>
      broker.use((channel) => setup(channel).then(() => void (ready = true))),
  };
  const onEntry = (entry: IntegrationEntry<T>): void => void entries.push(entry);
  listenToBroadcasts({ broker: bound, service: 'test', events, onEntry, logger: silentLogger });
  await broker.start();
  await eventually(() => Promise.resolve(ready), 'the listener');
  return { entries, stop: () => broker.stop() };
}

/** For consumers of a test that need no database. */
export const alwaysAvailable: Availability = { isUsable: true, isLost: false, onChange: () => () => undefined };
