import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { sequence, silentLogger, type Part } from '@saleschannel/runtime';
import { alwaysAvailable, eventually, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { toBodies, readPartition, splitBody } from '../src/envelope.ts';
import {
  Consumer,
  enqueueForLedger,
  ledgerPartitionOf,
  ledgerPartitions,
  queuesOfFamily,
  Relay,
  type LedgerQueue,
  type QueueName,
  familyOf,
  queueFamilies,
  queues,
} from '../src/index.ts';
import { createBroker, brokers, createTestStore, createRecordingLogger, type TestStore } from './support/messaging.ts';

const ISSUANCE = '5b0c2d9e-1f5a-4f0e-9a53-6a3c0f6f4a11';

// The same in every release: otherwise two releases side by side would disagree on the order of transfers.
test('the partition of an issuance never changes, and does not depend on the certificate', () => {
  const names = [`${ISSUANCE}_1`, `${ISSUANCE}_643141234500000000000000000000000001`, `${ISSUANCE.toUpperCase()}_7`];
  expect(names.map((name) => ledgerPartitionOf(name, ledgerPartitions.length))).toEqual([1, 1, 1]);
  expect(ledgerPartitionOf('', ledgerPartitions.length)).toBe(3);
  expect(names.map((name) => ledgerPartitionOf(name, 1))).toEqual([0, 0, 0]);
});

test('issuances are spread evenly', () => {
  const counts = new Map<number, number>();
  for (let count = 0; count < 8_000; count++) {
    const partition = ledgerPartitionOf(`${crypto.randomUUID()}_1`, ledgerPartitions.length);
    counts.set(partition, (counts.get(partition) ?? 0) + 1);
  }
  for (const partition of ledgerPartitions) expect(Math.abs((counts.get(partition) ?? 0) - 1_000)).toBeLessThan(200);
});

test('a message names its partition, and so do the messages that it is split into', () => {
  const [body = ''] = toBodies([{ number: 1 }, { number: 2 }], 5);
  expect(JSON.parse(body)).toEqual({ partition: 5, entries: [{ number: 1 }, { number: 2 }] });
  expect([body, ...(splitBody(body) ?? [])].map(readPartition)).toEqual([5, 5, 5]);
  expect(toBodies([{ partition: 5 }]).map(readPartition)).toEqual([undefined]);
  expect(readPartition('{"partition":8,"entries":[]}')).toBeUndefined();
});

test('every queue belongs to one family, and the partitions of the ledger form one', () => {
  expect(queueFamilies).toEqual(['inventory.transfers', 'tasks.outcomes', 'events.log']);
  expect(queueFamilies.flatMap(queuesOfFamily).toSorted()).toEqual(Object.keys(queues).toSorted());
  expect(queuesOfFamily('inventory.transfers')).toHaveLength(1 + ledgerPartitions.length);
  for (const queue of Object.keys(queues) as QueueName[]) expect(queueFamilies).toContain(familyOf(queue));
});

describe('queues of partitions', () => {
  /** Transfers from tasks to the ledger, from the outbox to the queue of a partition. */

  const TYPE = 'tasks.transfer.requested.v1';
  type TransferQueue = LedgerQueue | 'inventory.transfers';

  let store: TestStore;
  let namespace: string;
  let url: string;
  const running: Part[] = [];
  /** Task ids by source queue. */
  const heard = new Map<string, string[]>();

  beforeEach(async () => {
    store = await createTestStore();
    namespace = testNamespace();
    url = testBrokerUrl();
    heard.clear();
  });
  afterEach(async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
    await store.drop();
  });

  async function started<P extends Part>(part: P): Promise<P> {
    running.push(part);
    await part.start();
    return part;
  }

  async function consumeAll(queues: readonly QueueName[], isUnassigned = false): Promise<Consumer<TransferQueue>[]> {
    const broker = createBroker(namespace, url);
    const consumers = queues.map(
      (queue) =>
        new Consumer<TransferQueue>({
          broker,
          availability: alwaysAvailable,
          queue: queue as TransferQueue,
          prefetch: 10,
          maxBatchEntries: 10,
          isUnassigned,
          logger: silentLogger,
          handle: (entries) => {
            heard.set(queue, [...(heard.get(queue) ?? []), ...entries.map(({ event }) => event.taskId)]);
            return Promise.resolve();
          },
        }),
    );
    await started(sequence(broker, ...consumers));
    return consumers;
  }

  async function startRelay(logger = silentLogger): Promise<Relay> {
    const broker = createBroker(namespace, url);
    const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger });
    await started(sequence(broker, relay));
    return relay;
  }

  const createRequest = (issuanceId: string): TransferRequested => ({
    taskId: newId(),
    type: 'TRADE',
    salesChannelId: 'channel',
    sellerId: 'seller',
    buyerId: 'buyer',
    currency: 'EUR',
    autoApproval: true,
    assets: [{ start: `${issuanceId}_1`, end: `${issuanceId}_2`, unitPrice: null }],
    traceparent: '',
  });
  const announce = (requests: readonly TransferRequested[]): Promise<void> =>
    store.database.transaction((em) =>
      enqueueForLedger(
        em,
        TYPE,
        requests.map((event) => ({ event, firstCertificate: event.assets[0]?.start })),
        ledgerPartitions.length,
      ),
    );

  /** Expected task ids by queue. */
  const groupByQueue = (requests: readonly TransferRequested[]): Map<string, string[]> =>
    new Map(
      [...Map.groupBy(requests, ({ assets }) => ledgerPartitionOf(assets[0]?.start, ledgerPartitions.length))].map(
        ([partition, group]) => [`inventory.transfers.${partition}`, group.map(({ taskId }) => taskId)],
      ),
    );
  const untilHeard = (count: number): Promise<unknown> =>
    eventually(() => Promise.resolve([...heard.values()].flat().length === count), `${count} entries`);

  const requests = (count: number): TransferRequested[] => {
    const issuances = Array.from({ length: 30 }, () => crypto.randomUUID());
    return Array.from({ length: count }, (_, index) => createRequest(issuances[index % issuances.length] ?? ''));
  };

  describe.each(brokers)('on %s', (_name, createUrl) => {
    beforeEach(() => void (url = createUrl()));

    test('each transfer reaches only the queue of its partition, in order per issuance', async () => {
      await consumeAll(queuesOfFamily('inventory.transfers'));
      await startRelay();
      const sent = requests(300);
      await announce(sent);
      await untilHeard(300);
      expect(heard).toEqual(groupByQueue(sent));
      expect(heard.size).toBeGreaterThan(4);
    });

    test('while the queue of one partition is missing, all events wait and none is lost', async () => {
      const [missing, ...others] = queuesOfFamily('inventory.transfers').toReversed();
      await consumeAll(others);
      const { logger, lines } = createRecordingLogger();
      await startRelay(logger);
      const sent = requests(100);
      await announce(sent);
      await eventually(
        () => Promise.resolve(lines.some((line) => line.includes('waits until all of its queues'))),
        'the relay',
      );
      expect([...heard.values()].flat()).toEqual([]);
      await consumeAll([missing ?? 'inventory.transfers']);
      await untilHeard(100);
      expect(heard).toEqual(groupByQueue(sent));
    });

    test('outbox rows of the release before the partitions reach the queue of that release', async () => {
      await consumeAll(queuesOfFamily('inventory.transfers'));
      const request = createRequest(crypto.randomUUID());
      const body = JSON.stringify({ entries: [request] });
      await query(store.database.em(), sql`insert into outbox (type, body) values (${TYPE}, ${body})`);
      await startRelay();
      await untilHeard(1);
      expect(heard).toEqual(new Map([['inventory.transfers', [request.taskId]]]));
    });
  });

  test('a consumer consumes only while it is assigned', async () => {
    const [first] = await consumeAll(queuesOfFamily('inventory.transfers'), true);
    const others = await consumeAll(queuesOfFamily('inventory.transfers'), true);
    await startRelay();
    const sent = requests(50);
    await announce(sent);
    await eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');
    expect([...heard.values()].flat()).toEqual([]);
    for (const consumer of others) await consumer.assign(true);
    await untilHeard(50);
    expect(heard).toEqual(groupByQueue(sent));
    for (const consumer of others) await consumer.assign(false);
    await first?.assign(true);
    await announce(sent);
    await eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');
    expect([...heard.values()].flat().length).toBe(50);
    for (const consumer of others) await consumer.assign(true);
    await untilHeard(100);
  });
});
