import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { ISSUANCE, offramp, range, retirement, trade, type RequestFields, type Scene } from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';

/** Requests that name serials without issuance, and may select them anywhere within a bundle. */

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const old = (first: number, last: number) => ({ start: String(first), end: String(last) });
const PREVIOUS = { previousGeneration: true } as const;

type Certificates = (first: number, last: number) => { start: string; end: string };
const createTrade = (certificates: Certificates, fields: RequestFields) =>
  trade(scene, { assets: [{ range: certificates(4, 6), unitPrice: '12.50' }] }, fields);
const createRetirement = (certificates: Certificates, fields: RequestFields) =>
  retirement(scene, { assets: [{ range: certificates(4, 6) }, { range: certificates(8, 8) }] }, fields);
const createOfframp = (certificates: Certificates, fields: RequestFields) =>
  offramp(scene, { assets: [certificates(4, 6)] }, fields);

test('the announcement has the issuances, and allows selections anywhere within a bundle', async () => {
  const { task } = await tasks.start(await createTrade(old, PREVIOUS));
  expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({
    type: 'TRADE',
    selectsAnywhere: true,
    assets: [{ start: `${ISSUANCE}_4`, end: `${ISSUANCE}_6`, unitPrice: '12.5' }],
  });
  const current = await tasks.start(await createTrade(range, {}));
  expect(await tasks.waitForAnnouncement(current.task.id)).not.toHaveProperty('selectsAnywhere');
});

describe.each([
  ['a trade', createTrade],
  ['a retirement', createRetirement],
  ['an offramp', createOfframp],
])('%s', (_name, createRequest) => {
  test('is the same request with and without issuances, in either order', async () => {
    for (const [first, second] of [
      [await createRequest(old, PREVIOUS), await createRequest(range, {})],
      [await createRequest(range, {}), await createRequest(old, PREVIOUS)],
    ] as const) {
      const idempotencyKey = newId();
      const { task } = await tasks.start({ ...first, idempotencyKey });
      for (const again of [first, second])
        expect(await tasks.start({ ...again, idempotencyKey })).toEqual({ task, replayed: true });
      expect(await tasks.count(idempotencyKey)).toBe(1);
    }
  });
});

test('a used key with other certificates or terms is refused in both generations', async () => {
  const idempotencyKey = newId();
  await tasks.start(await createTrade(old, { ...PREVIOUS, idempotencyKey }));
  const changed = [
    await trade(scene, { assets: [{ range: old(4, 7), unitPrice: '12.5' }] }, { ...PREVIOUS, idempotencyKey }),
    await trade(scene, { assets: [{ range: old(4, 6), unitPrice: '12.6' }] }, { ...PREVIOUS, idempotencyKey }),
    await trade(
      scene,
      { assets: [old(4, 6), old(7, 7)].map((each) => ({ range: each, unitPrice: '12.5' })) },
      { ...PREVIOUS, idempotencyKey },
    ),
    await trade(scene, { assets: [{ range: range(5, 6), unitPrice: '12.5' }] }, { idempotencyKey }),
    await createTrade((first, last) => ({ start: `${newId()}_${first}`, end: `${newId()}_${last}` }), {
      idempotencyKey,
    }),
  ];
  for (const request of changed)
    expect(await tasks.startRefused(request)).toMatchObject({ code: 'idempotency-key-reused' });
});

test('a retry returns its task after its certificates have moved', async () => {
  const request = await createTrade(old, PREVIOUS);
  const { task } = await tasks.start(request);
  const gone = { code: 'bundle', detail: 'There is no such bundle.' };
  tasks.neighbours.faults.set('4', gone);
  // The current generation refuses selections that start within a bundle, but a retry still gets its task.
  tasks.neighbours.faults.set(`${ISSUANCE}_4`, { code: 'bundle-start', detail: 'No bundle starts here.' });
  expect(await tasks.start(request)).toEqual({ task, replayed: true });
  const { idempotencyKey } = request;
  expect(await tasks.start(await createTrade(range, { idempotencyKey }))).toEqual({ task, replayed: true });
  expect(await tasks.startRefused(await createTrade(old, PREVIOUS))).toMatchObject({
    code: 'request-refused',
    violations: ['#/assets/0/start bundle'],
  });
  tasks.neighbours.faults.clear();
});

test('concurrent equal requests of both generations create one task', async () => {
  const idempotencyKey = newId();
  const requests = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? createTrade(old, { ...PREVIOUS, idempotencyKey }) : createTrade(range, { idempotencyKey }),
    ),
  );
  const started = await Promise.all(requests.map((request) => tasks.start(request)));
  expect(new Set(started.map(({ task }) => task.id)).size).toBe(1);
  expect(started.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await tasks.count(idempotencyKey)).toBe(1);
});

test.each([
  ['an issuance', '7b0c6a52-5c1e-4f0a-9d53-2d7b1e6f0a11_4'],
  ['letters', '4x'],
  ['nothing', ''],
  ['more than 38 digits', '1'.repeat(39)],
])('a serial with %s is refused, with its location', async (_name, start) => {
  const assets = [{ range: { start, end: '6' }, unitPrice: '1' }];
  expect(await tasks.startRefused(await trade(scene, { assets }, PREVIOUS))).toMatchObject({
    code: 'invalid-request',
    violations: ['#/assets/0/start pattern'],
  });
});

test('the current generation refuses serials without an issuance', async () => {
  expect(await tasks.startRefused(await createTrade(old, {}))).toMatchObject({ code: 'invalid-request' });
});
