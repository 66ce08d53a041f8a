import { Broker, Consumer, type EntryOf, type QueueName } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { alwaysAvailable, testBrokerUrl } from '@saleschannel/testing';

/** Stands for a service that reads what the ledger tells. */
export async function startReader<Q extends QueueName>(
  namespace: string,
  queue: Q,
): Promise<{ told: EntryOf<Q>[]; stop(): Promise<void> }> {
  const told: EntryOf<Q>[] = [];
  const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
  const consumer = new Consumer({
    broker,
    availability: alwaysAvailable,
    queue,
    prefetch: 100,
    batchEntriesAtMost: 1_000,
    logger: silentLogger,
    handle: (entries) => Promise.resolve(void told.push(...entries)),
  });
  await broker.start();
  return { told, stop: () => consumer.stop().then(() => broker.stop()) };
}
