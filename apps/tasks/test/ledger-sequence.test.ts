import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { callAs, collect, eventually, catchFailure } from '@saleschannel/testing';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import type { Scene } from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';
import { waitForDeadLetter, readTrade, startTrade, waitForTrade } from './support/trades.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const change = (sequence: number, taskId: string, status: 'SUCCESS' | 'REJECTED' = 'SUCCESS') =>
  statusChange(scene, taskId, status, {
    sequence: String(sequence),
    transactionId: `transaction-of-${taskId}`,
  });
const publish = (...changes: ReturnType<typeof change>[]): Promise<void> =>
  tasks.publisher.publish(STATUS_CHANGED, changes);
const appliedUpto = (sequence: string): Promise<true> =>
  eventually(async () => (await tasks.progress(scene.channel))?.upto === sequence && true, `sequence ${sequence}`);

test('GetLedgerProgress returns the applied sequences, with gaps', async () => {
  expect(await tasks.progress(scene.channel)).toBeUndefined();
  const ids = [await startTrade(tasks, scene), await startTrade(tasks, scene), await startTrade(tasks, scene)];
  await publish(change(1, ids[0] as string), change(3, ids[2] as string));
  await appliedUpto('1');
  expect(await tasks.progress(scene.channel)).toEqual({
    salesChannelId: scene.channel,
    upto: '1',
    highest: '3',
    gaps: [{ first: '2', last: '2' }],
  });
  await publish(change(2, ids[1] as string));
  await appliedUpto('3');
});

test('a task that waits for approval gets a lost outcome when it is published again', async () => {
  const id = await startTrade(tasks, scene);
  await tasks.publisher.publish(REPORTED, [report(id, 'RESERVED', { transactionId: `transaction-of-${id}` })]);
  await waitForTrade(tasks, scene, id, ({ transactionId }) => transactionId !== undefined);
  await publish(change(1, id, 'REJECTED'));
  expect(await waitForTrade(tasks, scene, id, ({ status }) => status !== 'PENDING')).toMatchObject({
    status: 'REJECTED',
    transactionId: `transaction-of-${id}`,
  });
  await appliedUpto('1');
});

test('a repeated change, or one after the report of its outcome, is applied once and recorded', async () => {
  const id = await startTrade(tasks, scene);
  await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: `transaction-of-${id}` })]);
  const before = await waitForTrade(tasks, scene, id, ({ status }) => status === 'SUCCESS');
  const repeated = change(1, id);
  await publish(repeated, repeated);
  await publish(repeated);
  await appliedUpto('1');
  expect(await readTrade(tasks, scene, id)).toEqual(before);
});

test('a change of an unknown task is recorded as applied, because it can never be applied', async () => {
  await publish(change(1, newId()));
  await appliedUpto('1');
});

test('a change that contradicts a task becomes a dead letter and changes nothing', async () => {
  const [id, other] = [await startTrade(tasks, scene), await startTrade(tasks, scene)];
  await publish(change(1, id));
  const before = await waitForTrade(tasks, scene, id, ({ status }) => status === 'SUCCESS');
  const contradicting = [change(1, other), change(2, id, 'REJECTED'), change(5, id)];
  for (const each of contradicting) {
    await publish(each);
    const { reason } = await waitForDeadLetter(tasks, each.eventId);
    expect(reason).toContain(`sequence ${each.sequence} of channel ${scene.channel}`);
  }
  expect(await readTrade(tasks, scene, id)).toEqual(before);
  expect((await readTrade(tasks, scene, other)).status).toBe('PENDING');
  expect(await tasks.progress(scene.channel)).toMatchObject({ upto: '1', highest: '1' });
});

test('only inventory may call GetLedgerProgress', async () => {
  const gateway = await callAs('gateway', 'ledgerProgress', tasks.service.address, 'tasks');
  expect((await catchFailure(collect(gateway.GetLedgerProgress({})))).code).toBe('forbidden');
  gateway.close();
});
