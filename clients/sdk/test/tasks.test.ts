import { afterEach, expect, jest, test } from '@jest/globals';
import { isOutcomeUnknown, NoPlanError, SalesChannel, TaskFailedError, TimeoutError } from '../src/index.ts';
import {
  resetConnection,
  inMemory,
  inTurn,
  json,
  problem,
  startServer,
  type Reply,
  type Server,
} from './support/server.ts';

let server: Server | undefined;
afterEach(() => server?.stop());

async function serve(...replies: readonly [Reply, ...Reply[]]): Promise<Server> {
  server = await startServer(inTurn(...replies));
  return server;
}

const soon = { 'Retry-After': '0' };
const createTask = (status: string, id?: string) => ({
  taskId: 'k1',
  status,
  idempotencyKey: 'order-1',
  message: 'The bundle was sold.',
  responsePayload: id === undefined ? {} : { id },
});
const trade = { buyerId: 't2', currency: 'EUR' as const, assets: [{ start: 'a_1', end: 'a_1', unitPrice: 1 }] };
const retirement = {
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  consumptionCountryCode: 'NO',
  consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
  retirementPurpose: 'Residual emissions of 2024',
};
const createPlan = (end: string) => ({ faults: [], selections: [{ start: 'a_1', end, volume: 1 }] });

test('waiting for a task survives failures', async () => {
  const { client, received } = await serve(
    json(201, createTask('PENDING'), { ...soon, 'Idempotency-Replayed': 'true' }),
    json(200, createTask('PENDING', 'tx1'), soon),
    resetConnection,
    problem(503, 'unavailable', {}, soon),
    json(200, createTask('SUCCESS', 'tx1')),
  );
  const task = await client({ retries: 0 }).trades.start('t1', trade);
  expect(task).toMatchObject({ id: 'k1', idempotencyKey: 'order-1', wasReplayed: true, transactionId: undefined });
  expect(await task.wait()).toMatchObject({ status: 'SUCCESS' });
  expect(task.transactionId).toBe('tx1');
  expect(task.requestId).toBe(received.at(-1)?.headers['x-request-id']);
  expect(received.at(-1)?.url).toBe('/saleschannel-services/v1/traders/t1/inventory/trade/k1');
  await task.wait();
  expect(received).toHaveLength(5);
  // Refreshing does not change how it was started.
  expect(task.wasReplayed).toBe(true);
});

test('a service that supports long polling is polled at once', async () => {
  const later = { 'Retry-After': '3600' };
  const { client, received } = await serve(
    json(201, createTask('PENDING'), later),
    json(200, createTask('PENDING', 'tx1'), { ...later, 'Preference-Applied': 'wait=10' }),
    json(200, createTask('SUCCESS', 'tx1'), { 'Preference-Applied': 'wait=10' }),
  );
  const task = await client().trades.start('t1', trade);
  expect(await task.wait()).toMatchObject({ status: 'SUCCESS' });
  expect(received.map(({ headers }) => headers['prefer'])).toEqual([undefined, 'wait=10', 'wait=10']);
});

test('a service without long polling is polled at its interval', async () => {
  const { client, received } = await serve(
    json(201, createTask('PENDING'), { 'Retry-After': '3600' }),
    json(200, createTask('PENDING'), { 'Retry-After': '3600' }),
  );
  const task = await client().trades.start('t1', trade);
  await expect(task.wait({ timeoutMs: 60_000 })).rejects.toThrow(TimeoutError);
  expect(received).toHaveLength(2);
});

test('a trade can be awaited in its own request', async () => {
  const { client, received } = await serve(
    json(201, createTask('SUCCESS', 'tx1'), { 'Preference-Applied': 'wait=10' }),
  );
  const task = await client().trades.start('t1', trade, { headers: { Prefer: 'wait=10' } });
  expect(await task.wait()).toMatchObject({ status: 'SUCCESS' });
  expect(received.map(({ headers }) => headers['prefer'])).toEqual(['wait=10']);
});

test.each(['FAILED', 'REJECTED'])('a task that ended as %s throws an error with the task', async (status) => {
  const { client } = await serve(json(201, createTask('PENDING'), soon), json(200, createTask(status)));
  const task = await client().offramps.start('t1', { assets: [{ start: 'a_1', end: 'a_1' }] });
  const failure: unknown = await task.wait().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TaskFailedError);
  expect(failure).toMatchObject({ task: createTask(status), requestId: task.requestId, idempotencyKey: 'order-1' });
});

test('waiting ends by timeout or abort', async () => {
  const { client } = await serve(json(200, createTask('PENDING'), { 'Retry-After': '30' }));
  const task = await client().retirements.task('t1', 'k1');
  await expect(task.wait({ timeoutMs: 5_000 })).rejects.toThrow(TimeoutError);
  const ending = new AbortController();
  const waiting = task.wait({ signal: ending.signal });
  ending.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('polling respects the interval of the service', async () => {
  const pending = (): Response => Response.json(createTask('PENDING'), { headers: { 'Retry-After': '0' } });
  const limited = (): Response =>
    Response.json({ type: '/problems/rate-limited' }, { status: 429, headers: { 'Retry-After': '300' } });
  const service = inMemory(pending, limited, pending);
  jest.useFakeTimers();
  try {
    const task = await new SalesChannel({ ...service.options, timeoutMs: 1_000 }).trades.task('t1', 'k1');
    const waiting = task.wait().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(299_000);
    expect(service.count()).toBe(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(service.count()).toBeLessThan(30);
    await jest.advanceTimersByTimeAsync(900_000);
    expect(await waiting).toBeInstanceOf(TimeoutError);
  } finally {
    jest.useRealTimers();
  }
});

test('the oldest certificates are planned again under the same key if bundles were taken meanwhile', async () => {
  const { client, received } = await serve(
    json(200, createPlan('a_1')),
    problem(400, 'request-refused', {
      errors: [{ pointer: '#/assets/0/start', detail: 'is none', code: 'bundle-start' }],
    }),
    json(200, createPlan('a_2')),
    json(201, createTask('SUCCESS', 'tx1')),
  );
  await client().retirements.retireOldest('t1', { ...retirement, volume: 1 });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ type: 'RETIREMENT', volume: 1, order: 'OLDEST' });
  const [refused, accepted] = [received[1], received[3]];
  expect(accepted?.headers['idempotency-key']).toBe(refused?.headers['idempotency-key']);
  const assets = [{ start: 'a_1', end: 'a_2' }];
  expect(JSON.parse(accepted?.body ?? '')).toEqual({ ...retirement, assets, currency: null });
});

test('the oldest certificates are retired in a currency without prices', async () => {
  const { client, received } = await serve(json(200, createPlan('a_1')), json(201, createTask('SUCCESS', 'tx1')));
  await client().retirements.retireOldest('t1', { ...retirement, volume: 1, currency: 'USD' });
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ currency: 'USD' });
});

test('other errors of the retirement are thrown at once', async () => {
  const errors = [{ pointer: '#/consumptionPeriod', detail: 'ends before it begins', code: 'period' }];
  const { client, received } = await serve(json(200, createPlan('a_1')), problem(400, 'request-refused', { errors }));
  const retiring = client().retirements.retireOldest('t1', { ...retirement, volume: 1 });
  await expect(retiring).rejects.toThrow('ends before it begins');
  expect(received).toHaveLength(2);
});

test.each([
  ['a 503', 'order-1', problem(503, 'unavailable', {}, soon)],
  ['a 503', undefined, problem(503, 'unavailable', {}, soon)],
  ['a lost response', 'order-1', resetConnection],
  ['a lost response', undefined, resetConnection],
])('%s to the plan has the key of the retirement (%p), which was not sent', async (_, key, reply) => {
  const { client, received } = await serve(
    reply,
    json(200, createPlan('a_1')),
    json(201, createTask('SUCCESS', 'tx1')),
  );
  const retire = (idempotencyKey: string | undefined): Promise<unknown> =>
    client({ retries: 0 }).retirements.retireOldest('t1', { ...retirement, volume: 1 }, { idempotencyKey });
  const failure: unknown = await retire(key).catch((error: unknown) => error);
  const { idempotencyKey } = failure as NoPlanError;
  expect(idempotencyKey).toEqual(key ?? expect.any(String));
  expect(isOutcomeUnknown(failure)).toBe(false);
  await retire(idempotencyKey);
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, idempotencyKey]);
});

test('nothing starts without a plan', async () => {
  const faults = [{ detail: 'There are 3 certificates.', code: 'volume' }];
  const { client, received } = await serve(json(200, { faults, selections: [] }));
  const failure: unknown = await client()
    .retirements.retireOldest('t1', { ...retirement, volume: 4 })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NoPlanError);
  expect(failure).toMatchObject({ errors: faults, idempotencyKey: expect.any(String) });
  expect(received).toHaveLength(1);
});
