import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createConnection, type PreparingClient } from '@saleschannel/database';
import { withDeadLetters } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure, testBrokerUrl } from '@saleschannel/testing';
import { recordOutcomes } from '../src/consumers/outcomes.ts';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import type { Scene } from './support/requests.ts';
import { startTasks, type Task, type Tasks } from './support/tasks.ts';
import { waitForEvents, readTrade, startTrade, waitForTrade } from './support/trades.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const startTask = (): Promise<string> => startTrade(tasks, scene);
const waitForTask = (id: string, is: (task: Task) => boolean): Promise<Task> => waitForTrade(tasks, scene, id, is);

describe('a report of the ledger ends the task:', () => {
  test.each([
    ['SUCCESS', 'SUCCESS', 'The transaction is complete.'],
    ['REJECTED', 'REJECTED', 'The seller rejected the transaction.'],
    ['FAILED', 'FAILED', 'it expired'],
  ] as const)('a transaction that becomes %s', async (reported, status, message) => {
    const id = await startTask();
    await tasks.publisher.publish(STATUS_CHANGED, [
      statusChange(scene, id, reported, { reason: 'it expired', transactionId: 'tx-1' }),
    ]);
    expect(await waitForTask(id, (task) => task.status !== 'PENDING')).toMatchObject({
      status,
      message,
      transactionId: 'tx-1',
    });
  });

  test('a refusal, with its reason and without a transaction', async () => {
    const id = await startTask();
    await tasks.publisher.publish(REPORTED, [
      report(id, 'REFUSED', { reason: 'assets/0/start: gone', transactionId: null }),
    ]);
    const task = await waitForTask(id, ({ status }) => status === 'FAILED');
    expect(task.message).toBe('assets/0/start: gone');
    expect(task.transactionId).toBeUndefined();
  });

  test('a reservation leaves the task open, with its transaction, until the transaction ends', async () => {
    const id = await startTask();
    await tasks.publisher.publish(REPORTED, [report(id, 'RESERVED', { transactionId: 'tx-2' })]);
    const reserved = await waitForTask(id, ({ transactionId }) => transactionId === 'tx-2');
    expect(reserved).toMatchObject({
      status: 'PENDING',
      message: "The certificates are reserved; the transaction waits for the seller's approval.",
    });
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, id, 'REJECTED', { transactionId: 'tx-2' })]);
    expect(await waitForTask(id, ({ status }) => status === 'REJECTED')).toMatchObject({ transactionId: 'tx-2' });
  });

  test('a success', async () => {
    const id = await startTask();
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: 'tx-3' })]);
    expect(await waitForTask(id, ({ status }) => status === 'SUCCESS')).toMatchObject({
      message: 'The transaction is complete.',
      transactionId: 'tx-3',
    });
  });
});

describe('an ended task does not change', () => {
  test('on later or out-of-order events', async () => {
    const [one, two, three] = [await startTask(), await startTask(), await startTask()];
    await tasks.publisher.publish(STATUS_CHANGED, [
      statusChange(scene, one, 'SUCCESS'),
      statusChange(scene, two, 'SUCCESS'),
      statusChange(scene, three, 'FAILED', { reason: 'first' }),
    ]);
    for (const id of [one, two, three]) await waitForTask(id, ({ status }) => status !== 'PENDING');
    const before = [
      await readTrade(tasks, scene, one),
      await readTrade(tasks, scene, two),
      await readTrade(tasks, scene, three),
    ];
    await tasks.publisher.publish(REPORTED, [
      report(one, 'RESERVED', { transactionId: 'other' }),
      report(two, 'REFUSED', { reason: 'late', transactionId: null }),
    ]);
    await tasks.publisher.publish(STATUS_CHANGED, [
      statusChange(scene, three, 'SUCCESS'),
      statusChange(scene, one, 'SUCCESS'),
    ]);
    await waitForEvents(tasks, scene);
    expect([
      await readTrade(tasks, scene, one),
      await readTrade(tasks, scene, two),
      await readTrade(tasks, scene, three),
    ]).toEqual(before);
  });

  test('on a reservation in the same message', async () => {
    const id = await startTask();
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS'), report(id, 'RESERVED')]);
    await waitForTask(id, ({ status }) => status === 'SUCCESS');
  });

  test('by a guard of the database', async () => {
    const id = await startTask();
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, id, 'SUCCESS')]);
    await waitForTask(id, ({ status }) => status === 'SUCCESS');
    expect(
      await catchFailure(tasks.service.sql("update task set status = 'FAILED' where id = $1", [id])),
    ).toMatchObject({
      code: '23000',
    });
    expect(await catchFailure(tasks.service.sql('delete from task where id = $1', [id]))).toMatchObject({
      code: '23000',
    });
  });
});

test('outcomes that agree with the tasks are written and committed in one round trip', async () => {
  const [known, unknown] = [await startTask(), newId()];
  const { prototype } = createConnection(tasks.service.databaseUrl).constructor as { prototype: PreparingClient };
  const trips = jest.spyOn(prototype, 'runTogether');
  const recordTrips = async (id: string, sequence: string): Promise<string[]> => {
    trips.mockClear();
    await recordOutcomes(tasks.database, [statusChange(scene, id, 'SUCCESS', { sequence })], {
      isFollowed: () => false,
      onWritten: () => undefined,
      onConflicts: () => undefined,
      onUnknown: () => undefined,
    });
    const texts = trips.mock.calls.map(([statements]) => statements.map(({ text }) => text.trim().split(/\s/, 1)[0]));
    return texts.map((words) => words.join(' ')).filter((words) => /begin with|commit|rollback/.test(words));
  };
  try {
    expect(await recordTrips(known, '1')).toEqual(['begin with insert commit']);
    // A second transaction examines disagreements.
    const careful = ['begin with insert commit', 'rollback', 'begin with insert', 'commit'];
    expect(await recordTrips(unknown, '2')).toEqual(careful);
  } finally {
    trips.mockRestore();
  }
  expect(await readTrade(tasks, scene, known)).toMatchObject({ status: 'SUCCESS' });
});

test('outcomes of unknown tasks are skipped', async () => {
  const id = await startTask();
  await tasks.publisher.publish(STATUS_CHANGED, [
    statusChange(scene, newId(), 'SUCCESS'),
    statusChange(scene, id, 'SUCCESS'),
  ]);
  await waitForTask(id, ({ status }) => status === 'SUCCESS');
  expect(
    await withDeadLetters(testBrokerUrl(), tasks.namespace, (letters) => letters.list('tasks.outcomes', 10)),
  ).toEqual([]);
});

test('messages that cannot be read become dead letters, and the others are handled', async () => {
  const id = await startTask();
  await tasks.publisher.publishRaw(REPORTED, 'no JSON');
  await tasks.publisher.publishRaw(
    REPORTED,
    JSON.stringify({ entries: [{ taskId: id, outcome: 'MAYBE' }, report(id, 'SUCCESS')] }),
  );
  await waitForTask(id, ({ status }) => status === 'SUCCESS');
  await eventually(
    async () =>
      (await withDeadLetters(testBrokerUrl(), tasks.namespace, (letters) => letters.list('tasks.outcomes', 10)))
        .length === 2,
    '2 dead letters',
  );
});
