import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { contract as tasksContract } from './contracts/tasks.ts';
import { startSystem, type System } from './support/system.ts';

/** What the gateway makes of answers that say no more than its contracts do. */

let providers: FakeProviders;
let system: System;
beforeAll(async () => {
  providers = await startFakeProviders(tasksContract);
  system = await startSystem({ TASKS_ADDRESS: providers.address });
});
afterAll(async () => {
  await system.stop();
  await providers.stop();
});

const trade = (buyerId: string, idempotencyKey: string) =>
  system.call('startTrade', {
    path: { traderId: 's1' },
    headers: { 'Idempotency-Key': idempotencyKey },
    body: { buyerId, currency: 'EUR', assets: [{ start: 'i1_1', end: 'i1_5', unitPrice: 0.1 }] },
  });
const task = (taskId: string) => system.call('getTradeTask', { path: { traderId: 's1', taskId } });

test('a trade starts, or is refused for the reasons of tasks', async () => {
  const started = await trade('b1', 'key-1');
  expect(started.status).toBe(201);
  expect(JSON.parse(started.text)).toMatchObject({ taskId: 'k1', status: 'PENDING' });
  const refused = await trade('s1', 'key-2');
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ pointer: '#/buyerId' }] });
});

test('a task is shown with its transaction, once there is one', async () => {
  expect(JSON.parse((await task('k1')).text)).toMatchObject({
    status: 'SUCCESS',
    responsePayload: { id: 'x1' },
  });
  expect(JSON.parse((await task('k2')).text)).toMatchObject({ status: 'PENDING', responsePayload: {} });
  expect((await task('k3')).status).toBe(404);
});

test('tasks are listed', async () => {
  const query = '$filter[type][eq]=TRADE&$filter[traderId][eq]=s1&$orderBy[createdAt]=asc';
  const { text } = await system.call('listTasks', { query });
  expect(JSON.parse(text)).toMatchObject([{ taskId: 'k2', type: 'TRADE', traderId: 's1' }]);
});
