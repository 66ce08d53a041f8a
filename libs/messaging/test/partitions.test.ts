import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { sequence, silentLogger, type Part } from '@saleschannel/runtime';
import { alwaysAvailable, eventually, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import {
  Consumer,
  enqueueForLedger,
  ledgerPartitionOf,
  ledgerPartitions,
  queuesOfFamily,
  Relay,
  type LedgerQueue,
  type QueueName,
} from '../src/index.ts';
import { brokerOf, brokers, createStage, recordingLogger, type Stage } from './support/stage.ts';

/** What tasks tell the ledger, from the outbox to the queue of its partition. */

const TYPE = 'tasks.transfer.requested.v1';
type TransferQueue = LedgerQueue | 'inventory.transfers';

let stage: Stage;
let namespace: string;
let url: string;
const running: Part[] = [];
/** Task ids by the queue that they came from. */
const heard = new Map<string, string[]>();

beforeEach(async () => {
  stage = await createStage();
  namespace = testNamespace();
  url = testBrokerUrl();
  heard.clear();
});
afterEach(async () => {
  for (const part of running.splice(0).reverse()) await part.stop();
  await stage.drop();
});

async function started<P extends Part>(part: P): Promise<P> {
  running.push(part);
  await part.start();
  return part;
}

async function consumeAll(queues: readonly QueueName[], isUnassigned = false): Promise<Consumer<TransferQueue>[]> {
  const broker = brokerOf(namespace, url);
  const consumers = queues.map(
    (queue) =>
      new Consumer<TransferQueue>({
        broker,
        availability: alwaysAvailable,
        queue: queue as TransferQueue,
        prefetch: 10,
        batchEntriesAtMost: 10,
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
  const broker = brokerOf(namespace, url);
  const relay = new Relay({ databaseUrl: stage.databaseUrl, broker, service: 'test', logger });
  await started(sequence(broker, relay));
  return relay;
}

const requestOf = (issuanceId: string): TransferRequested => ({
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
  stage.database.transaction((em) =>
    enqueueForLedger(
      em,
      TYPE,
      requests.map((event) => ({ event, firstCertificate: event.assets[0]?.start })),
      ledgerPartitions.length,
    ),
  );

/** Where tasks are expected, by their first certificates. */
const expectedOf = (requests: readonly TransferRequested[]): Map<string, string[]> =>
  new Map(
    [...Map.groupBy(requests, ({ assets }) => ledgerPartitionOf(assets[0]?.start, ledgerPartitions.length))].map(
      ([partition, some]) => [`inventory.transfers.${partition}`, some.map(({ taskId }) => taskId)],
    ),
  );
const untilHeard = (count: number): Promise<unknown> =>
  eventually(() => Promise.resolve([...heard.values()].flat().length === count), `${count} entries`);

const requests = (count: number): TransferRequested[] => {
  const issuances = Array.from({ length: 30 }, () => crypto.randomUUID());
  return Array.from({ length: count }, (_, index) => requestOf(issuances[index % issuances.length] ?? ''));
};

describe.each(brokers)('on %s', (_name, urlOf) => {
  beforeEach(() => void (url = urlOf()));

  test('each transfer reaches the queue of its partition alone, and those of an issuance in their order', async () => {
    await consumeAll(queuesOfFamily('inventory.transfers'));
    await startRelay();
    const wanted = requests(300);
    await announce(wanted);
    await untilHeard(300);
    expect(heard).toEqual(expectedOf(wanted));
    expect(heard.size).toBeGreaterThan(4);
  });

  test('while the queue of one partition is missing everything waits, and nothing is lost', async () => {
    const [missing, ...others] = queuesOfFamily('inventory.transfers').toReversed();
    await consumeAll(others);
    const { logger, lines } = recordingLogger();
    await startRelay(logger);
    const wanted = requests(100);
    await announce(wanted);
    await eventually(
      () => Promise.resolve(lines.some((line) => line.includes('waits until every queue'))),
      'the relay',
    );
    expect([...heard.values()].flat()).toEqual([]);
    await consumeAll([missing ?? 'inventory.transfers']);
    await untilHeard(100);
    expect(heard).toEqual(expectedOf(wanted));
  });

  test('what the release before the partitions left in the outbox reaches its queue', async () => {
    await consumeAll(queuesOfFamily('inventory.transfers'));
    const request = requestOf(crypto.randomUUID());
    const body = JSON.stringify({ entries: [request] });
    await query(stage.database.em(), sql`insert into outbox (type, body) values (${TYPE}, ${body})`);
    await startRelay();
    await untilHeard(1);
    expect(heard).toEqual(new Map([['inventory.transfers', [request.taskId]]]));
  });
});

test('a consumer takes nothing before it is assigned, and nothing after it was taken away', async () => {
  const [first] = await consumeAll(queuesOfFamily('inventory.transfers'), true);
  const others = await consumeAll(queuesOfFamily('inventory.transfers'), true);
  await startRelay();
  const wanted = requests(50);
  await announce(wanted);
  await eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');
  expect([...heard.values()].flat()).toEqual([]);
  for (const consumer of others) await consumer.assign(true);
  await untilHeard(50);
  expect(heard).toEqual(expectedOf(wanted));
  for (const consumer of others) await consumer.assign(false);
  await first?.assign(true);
  await announce(wanted);
  await eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');
  expect([...heard.values()].flat().length).toBe(50);
  for (const consumer of others) await consumer.assign(true);
  await untilHeard(100);
});
