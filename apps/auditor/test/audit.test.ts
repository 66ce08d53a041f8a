import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Broker, Consumer, queues, type QueueName } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import {
  alwaysAvailable,
  eventually,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  withQueues,
} from '@saleschannel/testing';
import { audit, toDatabaseUrls, type Result } from '../src/index.ts';
import { queueNames } from '../src/neighbours/broker.ts';
import { createInstallation, type Installation } from './support/installation.ts';

describe('the second look', () => {
  /** Changes in transit look like violations, and count only if unchanged in the second look. */

  const LIMIT_MS = 120_000;
  let installation: Installation;
  beforeAll(async () => {
    installation = await createInstallation();
  }, LIMIT_MS);
  afterAll(() => installation.drop(), LIMIT_MS);
  afterEach(() => installation.damage('tasks', 'delete from outbox'));

  const waiting = (id: number, type = 'any'): string =>
    `insert into outbox (id, type, body) overriding system value values (${id}, '${type}', '{}')`;

  /** Runs an audit with this work between the two looks. Returns the findings and the waiting times. */
  async function found(between: () => Promise<void>) {
    const waits: number[] = [];
    const results = await audit(toDatabaseUrls(installation.auditUrl), {
      quietSeconds: 7,
      async wait(milliseconds) {
        waits.push(milliseconds);
        await between();
      },
    });
    const findings = (result: Result) => result.findings.map(({ id }) => [result.name, id]);
    return { waits, findings: results.filter(({ count }) => count > 0).flatMap(findings) };
  }
  const nothing = (): Promise<void> => Promise.resolve();

  test('without findings there is only one look', async () => {
    expect(await found(nothing)).toEqual({ waits: [], findings: [] });
  });

  test('findings that are equal in both looks count', async () => {
    await installation.damage('tasks', waiting(1), waiting(2));
    expect(await found(nothing)).toEqual({
      waits: [7_000],
      findings: [
        ['tasks-outbox', '1'],
        ['tasks-outbox', '2'],
      ],
    });
  });

  test('findings in only one look do not count', async () => {
    await installation.damage('tasks', waiting(1), waiting(2));
    const between = () => installation.damage('tasks', 'delete from outbox where id = 1', waiting(3));
    expect((await found(between)).findings).toEqual([['tasks-outbox', '2']]);
  });

  test('findings that have changed do not count', async () => {
    await installation.damage('tasks', waiting(1));
    const between = () => installation.damage('tasks', "update outbox set type = 'other'");
    expect((await found(between)).findings).toEqual([]);
  });

  test('findings that cannot be in transit count at once', async () => {
    await installation.damage(
      'inventory',
      "insert into list_count_delta (list, key, delta) values ('certificate', 'state/HELD', 1)",
    );
    try {
      expect(await found(nothing)).toEqual({ waits: [], findings: [['inventory-certificate-count', 'state/HELD']] });
    } finally {
      await installation.damage('inventory', 'delete from list_count_delta');
    }
  });
});

describe('the broker', () => {
  /** Findings in queues that services declared. */

  const LIMIT_MS = 120_000;
  let installation: Installation;
  let namespace: string;
  beforeAll(async () => {
    installation = await createInstallation();
  }, LIMIT_MS);
  afterAll(() => installation.drop(), LIMIT_MS);
  beforeEach(() => {
    namespace = testNamespace();
  });

  /** Starts a consumer for each queue that rejects every message. */
  async function consumeAll(): Promise<() => Promise<void>> {
    const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
    const consumers = (Object.keys(queues) as QueueName[]).map(
      (queue) =>
        new Consumer({
          broker,
          availability: alwaysAvailable,
          queue,
          prefetch: 10,
          maxBatchEntries: 10,
          logger: silentLogger,
          handle: () => Promise.reject(new Error('not today')),
        }),
    );
    for (const consumer of consumers) await consumer.start();
    await broker.start();
    return async () => {
      for (const consumer of consumers) await consumer.stop();
      await broker.stop();
    };
  }

  async function found(): Promise<string[]> {
    const broker = { url: testBrokerUrl(), namespace };
    const results = await audit(toDatabaseUrls(installation.auditUrl), { quietSeconds: 0, broker });
    return results.flatMap(({ name, findings }) =>
      findings.map(({ id, detail }) => `${name} ${id.replace(`${namespace}.`, '')}: ${detail}`),
    );
  }
  const untilFound = (expected: readonly string[]): Promise<unknown> =>
    eventually(async () => (await found()).toString() === expected.toString(), expected.toString());

  /** Runs work while each queue has a consumer. */
  async function whileConsumed(work: () => Promise<void>): Promise<void> {
    const stop = await consumeAll();
    try {
      await untilFound([]);
      await work();
    } finally {
      await stop();
    }
  }

  async function publish(type: string, body: string, queue?: QueueName): Promise<void> {
    const publisher = await startPublisher(namespace);
    // A queue's own name as routing key reaches only this queue.
    await publisher.publishRaw(queue === undefined ? type : `${namespace}.${queue}`, body);
    await publisher.stop();
  }

  test('the auditor knows all queues of the system', () => {
    expect([...queueNames].toSorted()).toEqual(Object.keys(queues).toSorted());
  });

  test('a dead letter is found in the queue of its consumer', () =>
    whileConsumed(async () => {
      await publish('inventory.transaction.status-changed.v1', '{"entries": 1}');
      await untilFound([
        'dead-letters tasks.outcomes.dead-letters: dead letters: 1',
        'dead-letters events.log.dead-letters: dead letters: 1',
      ]);
      await publish('tasks.transfer.requested.v1', 'no JSON');
      await untilFound([
        'dead-letters inventory.transfers.dead-letters: dead letters: 1',
        'dead-letters tasks.outcomes.dead-letters: dead letters: 1',
        'dead-letters events.log.dead-letters: dead letters: 1',
      ]);
    }));

  test('a message of an unknown type is found', () =>
    whileConsumed(async () => {
      await publish('of a later release', '{}', 'events.log');
      await untilFound(['messages events.log.unknown: messages of an unknown type wait']);
    }));

  test('messages without a consumer are found, but not empty queues without one', async () => {
    await whileConsumed(() => Promise.resolve());
    expect(await found()).toEqual([]);
    await publish('any', '{}', 'tasks.outcomes');
    await untilFound(['messages tasks.outcomes: messages wait without a consumer']);
  });

  test('a missing queue is found', async () => {
    await whileConsumed(() => Promise.resolve());
    await withQueues(testBrokerUrl(), namespace, ({ remove }) => remove('events.log'));
    expect(await found()).toEqual(['messages events.log: the queue does not exist']);
  });

  test('without an address the broker is not checked', async () => {
    const results = await audit(toDatabaseUrls(installation.auditUrl), { quietSeconds: 0 });
    expect(results.filter(({ name }) => name === 'dead-letters' || name === 'messages')).toEqual([]);
  });
});
