import { randomBytes } from 'node:crypto';
import { Broker, type QueueName } from '@saleschannel/messaging';
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

type Channel = Parameters<Parameters<Broker['use']>[0]>[0];

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
