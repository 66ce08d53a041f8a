import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withDeadLetters } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { asUser, eventually, failureOf, testBrokerUrl } from '@saleschannel/testing';
import type { Task__Output } from '@saleschannel/contracts/gen/tasks/v1/Task';
import { pickUpForgotten } from '../src/operations/pick-up.ts';
import {
  announcementOf,
  newScene,
  offramp,
  poll,
  report,
  REPORTED,
  retirement,
  start,
  startTasks,
  STATUS_CHANGED,
  statusChange,
  trade,
  type Scene,
  type TestTasks,
} from './support.ts';

let tasks: TestTasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = newScene(tasks);
});
afterAll(() => tasks.stop());

const started = async (): Promise<string> => (await start(tasks, await trade(scene))).task.id;
const read = (id: string): Promise<Task__Output> => poll(tasks, scene.channel, 'TRADE', scene.seller, id);
const becomes = (id: string, is: (task: Task__Output) => boolean): Promise<Task__Output> =>
  eventually(async () => {
    const task = await read(id);
    return is(task) && task;
  }, `task ${id}`);

/** Resolves when all that was published before has been handled: a message behind it has. */
async function handled(): Promise<void> {
  const id = await started();
  await tasks.publisher.publish(REPORTED, [report(id, 'REFUSED', { transactionId: null })]);
  await becomes(id, ({ status }) => status === 'FAILED');
}

describe('what the ledger says ends the task:', () => {
  test.each([
    ['SUCCESS', 'SUCCESS', 'The transaction is complete.'],
    ['REJECTED', 'REJECTED', 'The seller rejected the transaction.'],
    ['FAILED', 'FAILED', 'it expired'],
  ] as const)('a transaction that becomes %s', async (said, status, message) => {
    const id = await started();
    await tasks.publisher.publish(STATUS_CHANGED, [
      statusChange(id, said, { reason: 'it expired', transactionId: 'tx-1' }),
    ]);
    expect(await becomes(id, (task) => task.status !== 'PENDING')).toMatchObject({
      status,
      message,
      transactionId: 'tx-1',
    });
  });

  test('a refusal, with its reason and without a transaction', async () => {
    const id = await started();
    await tasks.publisher.publish(REPORTED, [
      report(id, 'REFUSED', { reason: 'assets/0/start: gone', transactionId: null }),
    ]);
    const task = await becomes(id, ({ status }) => status === 'FAILED');
    expect(task.message).toBe('assets/0/start: gone');
    expect(task.transactionId).toBeUndefined();
  });

  test('a reservation leaves it open, with its transaction, until that ends', async () => {
    const id = await started();
    await tasks.publisher.publish(REPORTED, [report(id, 'RESERVED', { transactionId: 'tx-2' })]);
    const reserved = await becomes(id, ({ transactionId }) => transactionId === 'tx-2');
    expect(reserved).toMatchObject({
      status: 'PENDING',
      message: "The certificates are reserved; the transaction waits for the seller's approval.",
    });
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(id, 'REJECTED', { transactionId: 'tx-2' })]);
    expect(await becomes(id, ({ status }) => status === 'REJECTED')).toMatchObject({ transactionId: 'tx-2' });
  });

  test('told again, after it was met twice', async () => {
    const id = await started();
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: 'tx-3' })]);
    expect(await becomes(id, ({ status }) => status === 'SUCCESS')).toMatchObject({
      message: 'The transaction is complete.',
      transactionId: 'tx-3',
    });
  });
});

describe('a task that has ended stays as it is', () => {
  test('whatever comes later, or earlier in the wrong order', async () => {
    const [one, two, three] = [await started(), await started(), await started()];
    await tasks.publisher.publish(STATUS_CHANGED, [
      statusChange(one, 'SUCCESS'),
      statusChange(two, 'SUCCESS'),
      statusChange(three, 'FAILED', { reason: 'first' }),
    ]);
    for (const id of [one, two, three]) await becomes(id, ({ status }) => status !== 'PENDING');
    const before = [await read(one), await read(two), await read(three)];
    await tasks.publisher.publish(REPORTED, [
      report(one, 'RESERVED', { transactionId: 'other' }),
      report(two, 'REFUSED', { reason: 'late', transactionId: null }),
    ]);
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(three, 'SUCCESS'), statusChange(one, 'SUCCESS')]);
    await handled();
    expect([await read(one), await read(two), await read(three)]).toEqual(before);
  });

  test('in one message too: the end outweighs the reservation', async () => {
    const id = await started();
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS'), report(id, 'RESERVED')]);
    await becomes(id, ({ status }) => status === 'SUCCESS');
  });

  test('and the database sees to it', async () => {
    const id = await started();
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(id, 'SUCCESS')]);
    await becomes(id, ({ status }) => status === 'SUCCESS');
    expect(await failureOf(tasks.sql("update task set status = 'FAILED' where id = ?", [id]))).toMatchObject({
      code: '23000',
    });
    expect(await failureOf(tasks.sql('delete from task where id = ?', [id]))).toMatchObject({ code: '23000' });
  });
});

test('outcomes of tasks that nobody knows are passed over', async () => {
  const id = await started();
  await tasks.publisher.publish(STATUS_CHANGED, [statusChange(newId(), 'SUCCESS'), statusChange(id, 'SUCCESS')]);
  await becomes(id, ({ status }) => status === 'SUCCESS');
  expect(
    await withDeadLetters(testBrokerUrl(), tasks.namespace, (letters) => letters.list('tasks.outcomes', 10)),
  ).toEqual([]);
});

test('messages that cannot be read are parked, and the others go on', async () => {
  const id = await started();
  await tasks.publisher.publishRaw(REPORTED, 'no JSON');
  await tasks.publisher.publishRaw(
    REPORTED,
    JSON.stringify({ entries: [{ taskId: id, outcome: 'MAYBE' }, report(id, 'SUCCESS')] }),
  );
  await becomes(id, ({ status }) => status === 'SUCCESS');
  await eventually(
    async () =>
      (await withDeadLetters(testBrokerUrl(), tasks.namespace, (letters) => letters.list('tasks.outcomes', 10)))
        .length === 2,
    '2 dead letters',
  );
});

describe('GetTask', () => {
  test('answers a task by its operation, trader and id, to who may poll that operation', async () => {
    const [one, two, three] = [
      await start(tasks, await trade(scene)),
      await start(tasks, await retirement(scene)),
      await start(tasks, await offramp(scene)),
    ];
    expect(await poll(tasks, scene.channel, 'TRADE', scene.seller, one.task.id)).toEqual(one.task);
    expect(await poll(tasks, scene.channel, 'RETIREMENT', scene.seller, two.task.id)).toEqual(two.task);
    expect(await poll(tasks, scene.channel, 'OFFRAMP', scene.onboarded, three.task.id)).toEqual(three.task);
  });

  test("is not-found for another channel's, another trader's, another operation's and no task, alike", async () => {
    const id = await started();
    const answers = [
      await failureOf(poll(tasks, newScene(tasks).channel, 'TRADE', scene.seller, id)),
      await failureOf(poll(tasks, scene.channel, 'TRADE', scene.buyer, id)),
      await failureOf(poll(tasks, scene.channel, 'RETIREMENT', scene.seller, id)),
      await failureOf(poll(tasks, scene.channel, 'OFFRAMP', scene.seller, id)),
      await failureOf(poll(tasks, scene.channel, 'TRADE', scene.seller, 'nothing')),
    ];
    expect(answers.map(({ code, message }) => `${code} ${message}`)).toEqual(
      Array(5).fill(`not-found ${answers[4]?.message}`),
    );
  });

  test('wants the role of the operation, before it looks', async () => {
    const get = async (
      operation: 'TRADE' | 'RETIREMENT' | 'OFFRAMP',
      roles: Parameters<typeof asUser>[1],
      channel: string | undefined = scene.channel,
    ) =>
      failureOf(tasks.client.GetTask({ operation, traderId: scene.seller, taskId: 'x' }, await asUser(channel, roles)));
    expect(await get('TRADE', ['ASSET_OFFRAMPER', 'TRADER_ADMINISTRATOR', 'ASSET_VIEWER'])).toMatchObject({
      code: 'forbidden',
    });
    expect(await get('RETIREMENT', ['ASSET_OFFRAMPER'])).toMatchObject({ code: 'forbidden' });
    expect(await get('OFFRAMP', ['TRANSACTION_ADMINISTRATOR'])).toMatchObject({ code: 'forbidden' });
    expect(
      await failureOf(
        tasks.client.GetTask(
          { operation: 'TRADE', traderId: 'x', taskId: 'x' },
          await asUser(undefined, ['TRANSACTION_ADMINISTRATOR']),
        ),
      ),
    ).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(tasks.client.GetTask({ operation: 'TRADE', traderId: 'x', taskId: 'x' }))).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

describe('a task that heard nothing', () => {
  const times = (id: string): number => tasks.announced.filter(({ taskId }) => taskId === id).length;
  /** Looks for forgotten tasks when no announcement waits any more. */
  const pickUp = (): Promise<number> =>
    eventually(async () => {
      const waiting = await tasks.sql('select 1 as one from outbox');
      return waiting.length === 0 && pickUpForgotten(tasks.database, 0);
    }, 'an empty outbox');

  test('is announced again, as it was announced first, until the ledger answers', async () => {
    const [lost, answered] = [await started(), await started()];
    const first = await announcementOf(tasks, lost);
    await announcementOf(tasks, answered);
    await tasks.publisher.publish(REPORTED, [report(answered, 'RESERVED')]);
    await becomes(answered, ({ transactionId }) => transactionId !== undefined);
    expect(await pickUp()).toBeGreaterThan(0);
    await eventually(() => Promise.resolve(times(lost) === 2), 'a second announcement');
    expect(tasks.announced.filter(({ taskId }) => taskId === lost)[1]).toEqual(first);
    expect(times(answered)).toBe(1);
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(lost, 'SUCCESS')]);
    await becomes(lost, ({ status }) => status === 'SUCCESS');
    await pickUp().catch(() => 0);
    await handled();
    expect(times(lost)).toBe(2);
  });

  test('is left alone before its time', async () => {
    await announcementOf(tasks, await started());
    expect(await pickUpForgotten(tasks.database, 3_600)).toBe(0);
  });

  test('whose announcement never left the outbox is announced', async () => {
    const id = newId();
    const request = { ...(await announcementOf(tasks, await started())), taskId: id };
    await tasks.sql(
      `insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, message, request) values (?, ?, 'TRADE', ?, 'f', ?, 'm', ?::jsonb)`,
      [id, scene.channel, id, scene.seller, JSON.stringify(request)],
    );
    await pickUp();
    expect(await announcementOf(tasks, id)).toEqual(request);
  });

  test('is taken by one of several replicas that look at once', async () => {
    const id = await started();
    await announcementOf(tasks, id);
    await eventually(async () => (await tasks.sql('select 1 as one from outbox')).length === 0, 'an empty outbox');
    await tasks.sql("update task set announced_at = now() - interval '1 hour' where id = ?", [id]);
    const taken = await Promise.all([1, 2, 3, 4].map(() => pickUpForgotten(tasks.database, 1_800)));
    expect(taken.toSorted()).toEqual([0, 0, 0, 1]);
    await handled();
    await eventually(async () => (await tasks.sql('select 1 as one from outbox')).length === 0, 'an empty outbox');
    expect(times(id)).toBe(2);
  });
});
