import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import type { StartTransfer } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
import {
  announcementOf,
  ISSUANCE,
  newScene,
  offramp,
  poll,
  refused,
  retirement,
  RETIREMENT,
  start,
  startAll,
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

const count = async (idempotencyKey: string): Promise<number> =>
  (
    await tasks.sql<{ count: number }>('select count(*)::int as count from task where idempotency_key = ?', [
      idempotencyKey,
    ])
  )[0]?.count ?? -1;
const announcements = (taskId: string): number => tasks.announced.filter((request) => request.taskId === taskId).length;
const asset = (first: number, unitPrice: string) => ({
  start: `${ISSUANCE}_${first}`,
  end: `${ISSUANCE}_${first}`,
  unitPrice,
});

test('the same key and request answer the same task, and announce it once', async () => {
  const request = await trade(scene);
  const first = await start(tasks, request);
  await announcementOf(tasks, first.task.id);
  expect(await start(tasks, request)).toEqual({ task: first.task, replayed: true });
  // Signed anew, traced anew: still the same request.
  const again = await trade(scene, {
    idempotencyKey: request.idempotencyKey ?? '',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  });
  expect(await start(tasks, again)).toEqual({ task: first.task, replayed: true });
  expect(await count(request.idempotencyKey ?? '')).toBe(1);
  const next = await start(tasks, await trade(scene));
  await announcementOf(tasks, next.task.id);
  expect(announcements(first.task.id)).toBe(1);
});

test('prices are numbers: 1, 1.0 and 10e-1 are one', async () => {
  const idempotencyKey = newId();
  const first = await start(tasks, await trade(scene, { idempotencyKey, assets: [asset(1, '1')] }));
  for (const price of ['1.0', '1.000000', '10e-1']) {
    expect(await start(tasks, await trade(scene, { idempotencyKey, assets: [asset(1, price)] }))).toEqual({
      task: first.task,
      replayed: true,
    });
  }
  expect(await refused(tasks, await trade(scene, { idempotencyKey, assets: [asset(1, '1.000001')] }))).toMatchObject({
    code: 'idempotency-key-reused',
  });
});

test('the same key and another request are refused, and nothing of the first one is shown', async () => {
  const idempotencyKey = newId();
  const assets = [asset(1, '1'), asset(2, '2')];
  await start(tasks, await trade(scene, { idempotencyKey, assets }));
  tasks.neighbours.traders.set(`${scene.channel}-third`, undefined);
  const others: Parameters<typeof trade>[1][] = [
    { assets: [asset(1, '1'), asset(2, '3')] },
    { assets: [asset(1, '1'), asset(3, '2')] },
    { assets: assets.toReversed() },
    { assets: assets.slice(0, 1) },
    { assets, currency: 'USD' },
    { assets, buyerId: `${scene.channel}-third` },
    { assets, traderId: `${scene.channel}-third` },
    // Also one that would be refused anyway.
    { assets, buyerId: 'nobody' },
  ];
  for (const fields of others) {
    expect(await refused(tasks, await trade(scene, { idempotencyKey, ...fields }))).toEqual({
      code: 'idempotency-key-reused',
      detail: 'The Idempotency-Key was used for another request before.',
      violations: ['Idempotency-Key reused'],
    });
  }
  const retired = { idempotencyKey: newId(), retirement: RETIREMENT };
  await start(tasks, await retirement(scene, retired));
  const changed = await retirement(scene, { ...retired, retirement: { ...RETIREMENT, beneficiaryName: 'Bob' } });
  expect(await refused(tasks, changed)).toMatchObject({ code: 'idempotency-key-reused' });
});

test('a key is free again for another operation, and in another channel', async () => {
  const other = newScene(tasks);
  const idempotencyKey = newId();
  const started = [
    await start(tasks, await trade(scene, { idempotencyKey })),
    await start(tasks, await retirement(scene, { idempotencyKey })),
    await start(tasks, await offramp(scene, { idempotencyKey })),
    await start(tasks, await trade(other, { idempotencyKey })),
  ];
  expect(started.map(({ replayed }) => replayed)).toEqual([false, false, false, false]);
  expect(new Set(started.map(({ task }) => task.id)).size).toBe(4);
});

test('a refused request does not use up its key', async () => {
  const idempotencyKey = newId();
  const refusals = [
    { ...(await trade(scene, { idempotencyKey })), principalToken: 'x' },
    await trade(scene, { idempotencyKey, roles: [] }),
    await trade(scene, { idempotencyKey, assets: [] }),
    await trade(scene, { idempotencyKey, traderId: 'nobody' }),
    await trade(scene, { idempotencyKey, buyerId: 'nobody' }),
  ];
  for (const request of refusals) await refused(tasks, request);
  expect(await count(idempotencyKey)).toBe(0);
  expect(await start(tasks, await trade(scene, { idempotencyKey }))).toMatchObject({ replayed: false });
});

test('after the settlement a repetition answers the current state, though the selection holds no longer', async () => {
  const request = await trade(scene, { assets: [asset(501, '1')] });
  const { task } = await start(tasks, request);
  await tasks.publisher.publish(STATUS_CHANGED, [statusChange(task.id, 'SUCCESS', { transactionId: 'tx-501' })]);
  await eventually(async () => (await poll(tasks, scene.channel, 'TRADE', scene.seller, task.id)).status === 'SUCCESS');
  tasks.neighbours.faults.set(`${ISSUANCE}_501`, { code: 'bundle-start', detail: 'gone' });
  expect(await start(tasks, request)).toMatchObject({
    task: {
      id: task.id,
      status: 'SUCCESS',
      idempotencyKey: request.idempotencyKey,
      message: 'The transaction is complete.',
      transactionId: 'tx-501',
    },
    replayed: true,
  });
  expect(await refused(tasks, await trade(scene, { assets: [asset(501, '1')] }))).toMatchObject({
    code: 'request-refused',
  });
});

const idsOf = async (calls: StartTransfer[][]): Promise<{ ids: Set<string>; fresh: number }> => {
  const results = (await Promise.all(calls.map((transfers) => startAll(tasks, transfers)))).flat();
  return {
    ids: new Set(results.map(({ task }) => task?.id ?? 'refused')),
    fresh: results.filter(({ replayed }) => !replayed).length,
  };
};

test('50 equal requests at once are one task and 50 equal answers: each alone, in one call, and in calls of many', async () => {
  for (const size of [1, 50, 5]) {
    const request = await trade(scene);
    const calls = Array.from({ length: 50 / size }, () => Array.from({ length: size }, () => request));
    const { ids, fresh } = await idsOf(calls);
    expect(ids.size).toBe(1);
    expect(fresh).toBe(1);
    expect(await count(request.idempotencyKey ?? '')).toBe(1);
    const [id = ''] = ids;
    await announcementOf(tasks, id);
    expect(announcements(id)).toBe(1);
  }
});

test('calls with the same keys in opposite orders do not lock each other out', async () => {
  const transfers = await Promise.all(Array.from({ length: 30 }, () => trade(scene)));
  const { ids, fresh } = await idsOf(
    Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? transfers : transfers.toReversed())),
  );
  expect(ids.size).toBe(30);
  expect(fresh).toBe(30);
});

test('of different requests with one key in one call the first one has it', async () => {
  const idempotencyKey = newId();
  const [first, second, third] = await startAll(tasks, [
    await trade(scene, { idempotencyKey, assets: [asset(1, '1')] }),
    await trade(scene, { idempotencyKey, assets: [asset(2, '1')] }),
    await trade(scene, { idempotencyKey, assets: [asset(1, '1')] }),
  ]);
  expect(first).toMatchObject({ replayed: false });
  expect(second?.problem?.code).toBe('idempotency-key-reused');
  expect(third).toMatchObject({ replayed: true, task: { id: first?.task?.id } });
});
