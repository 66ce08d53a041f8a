import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../src/client.ts';
import type { System } from '../src/system.ts';
import { useSystem } from './support/system.ts';
import {
  accountHolderBody,
  listBundles,
  buyer,
  createTrader,
  waitForEnd,
  inventoryPath,
  issuanceBody,
  issue,
  withIdempotencyKey,
  newKey,
  onboard,
  operator,
  waitForTransaction,
  retirementBody,
  seller,
  v1,
  type Task,
} from './support/api.ts';

const running = useSystem();
let system: System;
let client: Client;
beforeAll(() => {
  system = running();
  client = system.createClient(operator(system.channels[0]));
});

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const countBy = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(values, (value) => value)).map(([value, all]) => [value, all?.length ?? 0]),
  );

/** Sends a transfer and returns its final outcome. */
async function awaitOutcome(traderId: string, kind: 'trade' | 'retire' | 'offramp', body: unknown): Promise<string> {
  const path = inventoryPath(traderId, kind);
  const answer = await client.send<Task>('POST', path, { body, headers: withIdempotencyKey() });
  if (answer.status === 400) return 'refused';
  return (await waitForEnd(client, `${path}/${answer.body.taskId}`)).status;
}

test('one of 50 sales of a bundle succeeds', async () => {
  const [channel] = system.channels;
  const { range, issuanceId } = await issue(system, channel);
  const outcomes = await times(50, () =>
    awaitOutcome(seller(channel).id, 'trade', {
      buyerId: buyer(channel).id,
      currency: 'EUR',
      assets: [{ ...range(1, 100), unitPrice: 1 }],
    }),
  );
  const { SUCCESS, FAILED = 0, refused = 0, ...others } = countBy(outcomes);
  expect({ SUCCESS, lost: FAILED + refused, others }).toEqual({ SUCCESS: 1, lost: 49, others: {} });
  expect(await listBundles(client, buyer(channel).id, issuanceId)).toEqual([{ ...range(1, 100), volume: 100 }]);
});

test('one of several transfers of overlapping parts of a bundle succeeds', async () => {
  const [channel] = system.channels;
  const { range } = await issue(system, channel);
  const outcomes = await times(45, (index) => {
    const part = range(1, 1 + index * 2);
    if (index % 3 === 0) return awaitOutcome(seller(channel).id, 'retire', retirementBody([part]));
    if (index % 3 === 1) return awaitOutcome(seller(channel).id, 'offramp', { assets: [part] });
    return awaitOutcome(seller(channel).id, 'trade', {
      buyerId: buyer(channel).id,
      currency: 'USD',
      assets: [{ ...part, unitPrice: 0 }],
    });
  });
  expect(countBy(outcomes)['SUCCESS']).toBe(1);
});

test('50 equal requests with one key start one task', async () => {
  const [channel] = system.channels;
  const { range, issuanceId } = await issue(system, channel);
  const path = inventoryPath(seller(channel).id, 'trade');
  const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 10), unitPrice: 1 }] };
  const headers = withIdempotencyKey();
  const answers = await times(50, () => client.send<Task>('POST', path, { body, headers }));
  expect(countBy(answers.map(({ status }) => String(status)))).toEqual({ 201: 50 });
  expect(new Set(answers.map((answer) => answer.body.taskId)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.headers['location'])).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  // Answers may show different states of the task; those with the same state are equal.
  for (const same of Object.values(Object.groupBy(answers, (answer) => answer.body.status)))
    expect(new Set(same?.map(({ text }) => text)).size).toBe(1);
  await waitForEnd(client, String(answers[0]?.headers['location']));
  expect(await listBundles(client, buyer(channel).id, issuanceId)).toEqual([{ ...range(1, 10), volume: 10 }]);
});

test('50 different requests with one key start one task, and the others are rejected', async () => {
  const [channel] = system.channels;
  const { range } = await issue(system, channel);
  const headers = withIdempotencyKey();
  const answers = await times(50, (index) =>
    client.send('POST', inventoryPath(seller(channel).id, 'retire'), {
      body: retirementBody([range(1, 1 + index)]),
      headers,
    }),
  );
  expect(countBy(answers.map(({ status, body }) => (status === 201 ? 'started' : body.type)))).toEqual({
    started: 1,
    '/problems/idempotency-key-reused': 49,
  });
});

test('50 equal requests create one trader', async () => {
  const headers = withIdempotencyKey();
  const body = { businessId: newKey(), name: 'Race AS', address: {} };
  const answers = await times(50, () => client.send('POST', `${v1}/traders`, { body, headers }));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
});

test('taking two bundles in opposite orders causes no deadlock, and every task ends', async () => {
  const [channel] = system.channels;
  const bundles = [await issue(system, channel), await issue(system, channel)];
  const [a, b] = bundles.map(({ range }) => ({ ...range(1, 1), unitPrice: 1 }));
  const outcomes = await times(60, (index) => {
    const assets = index % 2 === 0 ? [a, b] : [b, a];
    return index % 3 === 0
      ? awaitOutcome(seller(channel).id, 'retire', retirementBody(assets, 'EUR'))
      : awaitOutcome(seller(channel).id, 'trade', { buyerId: buyer(channel).id, currency: 'EUR', assets });
  });
  expect(countBy(outcomes)['SUCCESS']).toBe(1);
});

test('a bundle is traded in a circle while parts of it are retired', async () => {
  const [channel] = system.channels;
  const { issuanceId } = await issue(system, channel, { lastSerial: '400' });
  const traders = [seller(channel).id, buyer(channel).id, await createTrader(client), await createTrader(client)];
  await times(4, async (worker) => {
    for (let step = 0; step < 12; step += 1) {
      const owner = traders[(worker + step) % 4] ?? '';
      const next = traders[(worker + step + 1) % 4] ?? '';
      const bundle = (await listBundles(client, owner, issuanceId))[0];
      if (!bundle) continue;
      const first = Number(bundle.start.split('_')[1]);
      const part = { start: bundle.start, end: `${issuanceId}_${first + Math.ceil(bundle.volume / 2) - 1}` };
      await awaitOutcome(
        owner,
        step % 5 === 4 ? 'retire' : 'trade',
        step % 5 === 4
          ? retirementBody([part])
          : { buyerId: next, currency: 'EUR', assets: [{ ...part, unitPrice: 1 }] },
      );
    }
  });
});

test('concurrent approvals and rejections decide once', async () => {
  const [channel] = system.channels;
  const party = await onboard(system, channel, { autoApproval: false });
  const { range } = await issue(system, party);
  const path = inventoryPath(party.traderId, 'retire');
  const { taskId } = await client.ok<Task>('POST', path, {
    body: retirementBody([range(1, 10)]),
    headers: withIdempotencyKey(),
  });
  const transactionId = await waitForTransaction(client, `${path}/${taskId}`);
  const answers = await times(20, async (index) => {
    const decision = index % 2 === 0 ? 'approve' : 'reject';
    const { status, body } = await system.registry.send<{ status: unknown }>(
      'POST',
      `/Registry/api/transactions/${transactionId}/${decision}`,
    );
    return status === 200 ? String(body.status) : String(status);
  });
  const { status } = await waitForEnd(client, `${path}/${taskId}`);
  expect(['SUCCESS', 'REJECTED']).toContain(status);
  expect(countBy(answers)).toEqual({ [status]: 10, 400: 10 });
});

test('concurrent requests create an issuance and an account holder once', async () => {
  const [channel] = system.channels;
  const holder = accountHolderBody();
  const bodies: [string, unknown][] = [
    ['account-holders', holder],
    ['issuances', issuanceBody(channel)],
  ];
  for (const [path, body] of bodies) {
    const answers = await times(20, () => system.registry.send('POST', `/Registry/api/${path}`, { body }));
    expect(countBy(answers.map(({ status }) => String(status)))).toEqual({ 200: 19, 201: 1 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
});
