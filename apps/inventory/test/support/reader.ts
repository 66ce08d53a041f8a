import { Broker, Consumer, type EntryOf, type QueueName } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { alwaysAvailable, testBrokerUrl } from '@saleschannel/testing';

/** Collects the entries of a queue. */
export async function startReader<Q extends QueueName>(
  namespace: string,
  queue: Q,
): Promise<{ entries: EntryOf<Q>[]; stop(): Promise<void> }> {
  const received: EntryOf<Q>[] = [];
  const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
  const consumer = new Consumer({
    broker,
    availability: alwaysAvailable,
    queue,
    prefetch: 100,
    maxBatchEntries: 1_000,
    logger: silentLogger,
    handle: (entries) => Promise.resolve(void received.push(...entries)),
  });
  await broker.start();
  return { entries: received, stop: () => consumer.stop().then(() => broker.stop()) };
}
