import type { ResponseOf } from '@saleschannel/grpc';
import { neighbour, startNeighbours, alwaysAvailable, testBrokerUrl } from '@saleschannel/testing';
import { Broker, Consumer, type EntryOf, type QueueName } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';

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

type ChannelProgress = NonNullable<ResponseOf<'ledgerProgress.GetLedgerProgress'>['channels']>[number];

/** A fake of a service that applies changes of status. Tests set its progress. */
export interface FakeConsumer {
  readonly address: string;
  /** Applied sequences by channel. Other channels are unknown. */
  readonly applied: Map<string, readonly number[]>;
  /** Makes every call fail. */
  isBroken: boolean;
  stop(): Promise<void>;
}

export async function startFakeConsumer(): Promise<FakeConsumer> {
  const applied: FakeConsumer['applied'] = new Map();
  const server = await startNeighbours(
    neighbour('ledgerProgress', ['inventory'], {
      // eslint-disable-next-line typescript/require-await
      async *GetLedgerProgress({ salesChannelId }) {
        if (consumer.isBroken) throw new Error('the consumer is broken');
        const channels = [...applied].filter(([id]) => salesChannelId === undefined || id === salesChannelId);
        yield { channels: channels.map(([id, sequences]) => toProgress(id, sequences)) };
      },
    }),
  );
  const consumer: FakeConsumer = {
    address: server.address,
    applied,
    isBroken: false,
    stop: () => server.stop(),
  };
  return consumer;
}

function toProgress(salesChannelId: string, sequences: readonly number[]): ChannelProgress {
  const highest = Math.max(...sequences);
  const missing = Array.from({ length: highest }, (_, index) => index + 1).filter((each) => !sequences.includes(each));
  return {
    salesChannelId,
    upto: (missing[0] ?? highest + 1) - 1,
    highest,
    gaps: missing.map((each) => ({ first: each, last: each })),
  };
}
