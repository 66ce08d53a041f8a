import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import type { ServiceClient } from '@saleschannel/grpc';
import { callAs, failureOf } from '@saleschannel/testing';
import { report, REPORTED } from './support/events.ts';
import { startTasks, type Tasks } from './support/tasks.ts';
import { startTrade, tradeBecomes } from './support/trades.ts';

let tasks: Tasks;
let rbac: ServiceClient<'channelTasks'>;
beforeAll(async () => {
  tasks = await startTasks();
  rbac = await callAs('rbac', 'channelTasks', tasks.service.address, 'tasks');
});
afterAll(async () => {
  rbac.close();
  await tasks.stop();
});

const countOpen = async (salesChannelId: string) => (await rbac.CountOpenTasks({ salesChannelId })).tasks;

test('tasks are open while they wait for the ledger or for an approval', async () => {
  const [scene, other] = [tasks.newScene(), tasks.newScene()];
  const [waiting, approved, refused] = [
    await startTrade(tasks, scene),
    await startTrade(tasks, scene),
    await startTrade(tasks, scene),
  ];
  await startTrade(tasks, other);
  expect(await countOpen(scene.channel)).toEqual({ count: 3, isMore: false });
  await tasks.publisher.publish(REPORTED, [report(approved, 'RESERVED', { transactionId: newId() })]);
  await tradeBecomes(tasks, scene, approved, ({ transactionId }) => transactionId !== undefined);
  expect(await countOpen(scene.channel)).toEqual({ count: 3, isMore: false });
  await tasks.publisher.publish(REPORTED, [report(refused, 'REFUSED', { transactionId: null })]);
  await tradeBecomes(tasks, scene, refused, ({ status }) => status === 'FAILED');
  await tasks.publisher.publish(REPORTED, [report(waiting, 'SUCCESS', { transactionId: newId() })]);
  await tradeBecomes(tasks, scene, waiting, ({ status }) => status === 'SUCCESS');
  expect(await countOpen(scene.channel)).toEqual({ count: 1, isMore: false });
  expect(await countOpen(newId())).toEqual({ count: 0, isMore: false });
});

test('the count stops at 1,000', async () => {
  const channel = newId();
  await tasks.service.sql(
    `insert into waiting_task (sales_channel_id, task_id, request, announced_at)
     select $1, $1 || n, '{}', 'infinity' from generate_series(1, 1001) as n`,
    [channel],
  );
  expect(await countOpen(channel)).toEqual({ count: 1_000, isMore: true });
  await tasks.service.sql('delete from waiting_task where sales_channel_id = $1', [channel]);
});

test('the gateway may not count open tasks', async () => {
  const gateway = await callAs('gateway', 'channelTasks', tasks.service.address, 'tasks');
  expect(await failureOf(gateway.CountOpenTasks({ salesChannelId: 'c1' }))).toMatchObject({ code: 'forbidden' });
  gateway.close();
});
