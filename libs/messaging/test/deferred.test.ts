import { beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection, sql, type Database, type TransactionOptions } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { eventually, startPublisher, testBrokerUrl, testNamespace, type TestPublisher } from '@saleschannel/testing';
import { withDeadLetters } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import {
  stopAfterEach,
  consume,
  createTestStore,
  createEffectHandler,
  heardAll,
  newIds,
  createReport,
  REPORTED,
  startOperator,
  taskIds,
  type Listening,
  type Operator,
  type TestStore,
} from './support/messaging.ts';

const QUEUE = 'tasks.outcomes';

let store: TestStore;
let namespace: string;
let publisher: TestPublisher;
let operator: Operator;
const track = stopAfterEach();

beforeEach(async () => {
  store = await createTestStore();
  track({ stop: () => store.drop() });
  namespace = testNamespace();
  publisher = track(await startPublisher(namespace));
  operator = track(await startOperator());
});

const queueEmptied = (): Promise<boolean> =>
  eventually(async () => (await operator.waiting(brokerNames(namespace).queue(QUEUE))) === 0, 'an empty queue');
const deadLetters = () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100));
const publishEach = async (tasks: readonly string[]): Promise<void> => {
  for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
};

describe('while another transaction locks the row of an entry', () => {
  const held = newId();
  let unlock: () => Promise<void>;

  beforeEach(async () => {
    const holder = createConnection(store.databaseUrl);
    await holder.connect();
    track({ stop: () => holder.end() });
    await holder.query('begin');
    await holder.run(sql`insert into effect (task_id) values (${held})`);
    unlock = async () => void (await holder.query('rollback'));
  });

  const consumeWith = async (options: { database: Database; prefetch?: number }): Promise<Listening> =>
    track(await consume({ namespace, lockTimeoutMs: 50, handle: createEffectHandler(options.database), ...options }));

  test('others are handled, entries with its key stay behind it, and none becomes a dead letter', async () => {
    const listening = await consumeWith({ database: store.database });
    const others = newIds(6);
    const first = { ...createReport(held), reason: 'first' };
    const second = { ...createReport(held), reason: 'second' };
    await publisher.publish(REPORTED, [createReport(others[0]), first, createReport(others[1])]);
    await publisher.publish(REPORTED, [createReport(others[2]), second]);
    await publishEach(others.slice(3));
    await heardAll(listening, others);
    expect(taskIds(listening.heard)).not.toContain(held);
    // Longer than an entry with invalid data is tried.
    await publishEach([...others, ...others]);
    await eventually(() => Promise.resolve(listening.heard.length >= 3 * others.length), 'the others');
    expect(await deadLetters()).toEqual([]);
    await unlock();
    await heardAll(listening, [held]);
    await queueEmptied();
    await eventually(() => Promise.resolve(taskIds(listening.heard).filter((id) => id === held).length === 2), 'both');
    const reasons = listening.heard.filter(({ event }) => event.taskId === held).map(({ event }) => event.reason);
    expect(reasons).toEqual(['first', 'second']);
    expect(await deadLetters()).toEqual([]);
  });

  test('an entry that arrives between unlock and retry does not overtake it', async () => {
    let refusals = 0;
    const handle = (entries: Listening['heard'], limits: TransactionOptions): Promise<void> =>
      createEffectHandler(store.database)(entries, limits).catch((error: unknown) => {
        refusals++;
        throw error;
      });
    const listening = track(await consume({ namespace, lockTimeoutMs: 50, handle }));
    await publisher.publish(REPORTED, [{ ...createReport(held), reason: 'first' }]);
    // The delay doubles each time, so it waits for a while now.
    await eventually(() => Promise.resolve(refusals >= 4), 'the fourth refusal');
    await unlock();
    // In a batch with an unrelated entry.
    await publisher.publish(REPORTED, [createReport(), { ...createReport(held), reason: 'second' }]);
    await eventually(() => Promise.resolve(listening.heard.length === 3), 'all');
    // The unrelated entry has no order relative to these. On a slow machine the first may be retried before it arrives.
    const reasons = listening.heard.map(({ event }) => event.reason);
    expect(reasons.filter((reason) => reason !== null)).toEqual(['first', 'second']);
  });

  test('more entries than a consumer may hold wait for it, and others are still handled', async () => {
    const listening = await consumeWith({ database: store.database, prefetch: 4 });
    await publishEach(Array.from({ length: 10 }, () => held));
    const others = newIds(5);
    await publishEach(others);
    await heardAll(listening, others);
    const waiting = brokerNames(namespace).waitingQueue(QUEUE, 'put-off');
    await eventually(async () => ((await operator.waiting(waiting)) ?? 0) >= 8, 'the overflow');
    await unlock();
    // Entries in memory are retried here. Those on the broker return after a while.
    await eventually(
      () => Promise.resolve(taskIds(listening.heard).filter((id) => id === held).length === 10),
      'all ten',
    );
    expect(await deadLetters()).toEqual([]);
  });

  test('a stopping consumer leaves deferred entries to the next one', async () => {
    const first = await consumeWith({ database: store.database });
    const other = newId();
    await publishEach([held, other]);
    await heardAll(first, [other]);
    await first.stop();
    await unlock();
    const second = await consumeWith({ database: store.database });
    await heardAll(second, [held]);
  });
});
