import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { isId, newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { STATUS_CHANGED, statusChange } from './support/events.ts';
import {
  asset,
  ISSUANCE,
  offramp,
  retirement,
  trade,
  type RequestFields,
  type Scene,
  type StartTransfer,
  type TermsOf,
} from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

test('a retry returns the same task, which is announced once', async () => {
  const request = await trade(scene);
  const first = await tasks.start(request);
  await tasks.waitForAnnouncement(first.task.id);
  expect(await tasks.start(request)).toEqual({ task: first.task, replayed: true });
  // The token and the trace are not part of the request.
  const { idempotencyKey } = request;
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const again = await trade(scene, {}, { idempotencyKey, traceparent });
  expect(await tasks.start(again)).toEqual({ task: first.task, replayed: true });
  expect(await tasks.count(request.idempotencyKey)).toBe(1);
  const next = await tasks.start(await trade(scene));
  await tasks.waitForAnnouncement(next.task.id);
  expect(tasks.countAnnouncements(first.task.id)).toBe(1);
});

test('prices are compared as numbers: 1, 1.0 and 10e-1 are equal', async () => {
  const idempotencyKey = newId();
  const first = await tasks.start(await trade(scene, { assets: [asset(1, '1')] }, { idempotencyKey }));
  for (const price of ['1.0', '1.000000', '10e-1']) {
    expect(await tasks.start(await trade(scene, { assets: [asset(1, price)] }, { idempotencyKey }))).toEqual({
      task: first.task,
      replayed: true,
    });
  }
  expect(
    await tasks.startRefused(await trade(scene, { assets: [asset(1, '1.000001')] }, { idempotencyKey })),
  ).toMatchObject({
    code: 'idempotency-key-reused',
  });
});

test('a retirement can be retried after its embargo has ended', async () => {
  const until = Date.now() + 1_500;
  const statement = { publication: 'LINK', beneficiaryHiddenUntil: new Date(until).toISOString() };
  const request = await retirement(scene, { statement });
  const first = await tasks.start(request);
  await eventually(() => Promise.resolve(Date.now() > until), 'the end of the embargo');
  expect(await tasks.start(request)).toMatchObject({ task: { id: first.task.id }, replayed: true });
  expect(await tasks.startRefused(await retirement(scene, { statement }))).toMatchObject({
    code: 'request-refused',
    violations: ['#/statement/beneficiaryHiddenUntil embargo-past'],
  });
});

test('another request with a used key is refused, without data of the first request', async () => {
  const idempotencyKey = newId();
  const assets = [asset(1, '1'), asset(2, '2')];
  await tasks.start(await trade(scene, { assets }, { idempotencyKey }));
  tasks.neighbours.traders.set(`${scene.channel}-third`, undefined);
  const others: [TermsOf<'trade'>, RequestFields?][] = [
    [{ assets: [asset(1, '1'), asset(2, '3')] }],
    [{ assets: [asset(1, '1'), asset(3, '2')] }],
    [{ assets: assets.toReversed() }],
    [{ assets: assets.slice(0, 1) }],
    [{ assets, currency: 'USD' }],
    [{ assets, buyerId: `${scene.channel}-third` }],
    [{ assets }, { traderId: `${scene.channel}-third` }],
    // An invalid request too.
    [{ assets, buyerId: 'nobody' }],
  ];
  for (const [terms, fields] of others) {
    expect(await tasks.startRefused(await trade(scene, terms, { idempotencyKey, ...fields }))).toEqual({
      code: 'idempotency-key-reused',
      detail: 'The Idempotency-Key was used for another request before.',
      violations: ['Idempotency-Key reused'],
    });
  }
  const retired = { idempotencyKey: newId() };
  await tasks.start(await retirement(scene, {}, retired));
  const changed = await retirement(scene, { beneficiaryName: 'Bob' }, retired);
  expect(await tasks.startRefused(changed)).toMatchObject({ code: 'idempotency-key-reused' });
});

test('the same key may be used for each type of transfer and in each channel', async () => {
  const other = tasks.newScene();
  const idempotencyKey = newId();
  const started = [
    await tasks.start(await trade(scene, {}, { idempotencyKey })),
    await tasks.start(await retirement(scene, {}, { idempotencyKey })),
    await tasks.start(await offramp(scene, {}, { idempotencyKey })),
    await tasks.start(await trade(other, {}, { idempotencyKey })),
  ];
  expect(started.map(({ replayed }) => replayed)).toEqual([false, false, false, false]);
  expect(new Set(started.map(({ task }) => task.id)).size).toBe(4);
});

test('a refused request does not use its key', async () => {
  const idempotencyKey = newId();
  const refusals = [
    { ...(await trade(scene, {}, { idempotencyKey })), principalToken: 'x' },
    await trade(scene, {}, { idempotencyKey, roles: [] }),
    await trade(scene, { assets: [] }, { idempotencyKey }),
    await trade(scene, {}, { idempotencyKey, traderId: 'nobody' }),
    await trade(scene, { buyerId: 'nobody' }, { idempotencyKey }),
  ];
  for (const request of refusals) await tasks.startRefused(request);
  expect(await tasks.count(idempotencyKey)).toBe(0);
  expect(await tasks.start(await trade(scene, {}, { idempotencyKey }))).toMatchObject({ replayed: false });
});

test('a retry returns the current task, even if its selections are no longer possible', async () => {
  const request = await trade(scene, { assets: [asset(501, '1')] });
  const { task } = await tasks.start(request);
  await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, task.id, 'SUCCESS', { transactionId: 'tx-501' })]);
  await eventually(
    async () => (await tasks.get(scene.channel, 'TRADE', scene.seller, task.id)).status === 'SUCCESS',
    'the end of the task',
  );
  tasks.neighbours.faults.set(`${ISSUANCE}_501`, { code: 'bundle-start', detail: 'gone' });
  expect(await tasks.start(request)).toMatchObject({
    task: {
      id: task.id,
      status: 'SUCCESS',
      idempotencyKey: request.idempotencyKey,
      message: 'The transaction is complete.',
      transactionId: 'tx-501',
    },
    replayed: true,
  });
  expect(await tasks.startRefused(await trade(scene, { assets: [asset(501, '1')] }))).toMatchObject({
    code: 'request-refused',
  });
});

const startCalls = async (calls: StartTransfer[][]): Promise<{ ids: Set<string>; fresh: number }> => {
  const results = (await Promise.all(calls.map((transfers) => tasks.startAll(transfers)))).flat();
  return {
    ids: new Set(results.map(({ task, problem }) => task?.id ?? JSON.stringify(problem))),
    fresh: results.filter(({ replayed }) => !replayed).length,
  };
};

test('50 concurrent equal requests create one task: each alone, in one call, and in calls of several', async () => {
  for (const size of [1, 50, 5]) {
    const request = await trade(scene);
    const calls = Array.from({ length: 50 / size }, () => Array.from({ length: size }, () => request));
    const { ids, fresh } = await startCalls(calls);
    expect(ids.size).toBe(1);
    expect(fresh).toBe(1);
    expect(await tasks.count(request.idempotencyKey)).toBe(1);
    for (const id of ids) {
      await tasks.waitForAnnouncement(id);
      expect(tasks.countAnnouncements(id)).toBe(1);
    }
  }
});

test('calls with the same keys in opposite orders do not deadlock', async () => {
  const transfers = await Promise.all(Array.from({ length: 30 }, () => trade(scene)));
  const { ids, fresh } = await startCalls(
    Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? transfers : transfers.toReversed())),
  );
  expect([...ids].filter((id) => !isId(id))).toEqual([]);
  expect(ids.size).toBe(30);
  expect(fresh).toBe(30);
});

test('the first of different requests with one key in a call uses it', async () => {
  const idempotencyKey = newId();
  const [first, second, third] = await tasks.startAll([
    await trade(scene, { assets: [asset(1, '1')] }, { idempotencyKey }),
    await trade(scene, { assets: [asset(2, '1')] }, { idempotencyKey }),
    await trade(scene, { assets: [asset(1, '1')] }, { idempotencyKey }),
  ]);
  expect(first).toMatchObject({ replayed: false });
  expect(second?.problem?.code).toBe('idempotency-key-reused');
  expect(third).toMatchObject({ replayed: true, task: { id: first?.task?.id } });
});
