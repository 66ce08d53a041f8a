import { randomInt } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import { previousPrefix, createPreviousClient, type PreviousClient } from '../support/previous-client.ts';
import { useSystem } from '../support/system.ts';
import {
  accountHolderBody,
  listBundles,
  buyer,
  createTrader,
  waitForEnd,
  issue,
  withIdempotencyKey,
  newKey,
  onboard,
  operator,
  retirementBody,
  v1,
  type Asset,
  type Issue,
  type TransferKind,
  type LogEvent,
  type Task,
  type Transaction,
} from '../support/api.ts';

/** Clients of both generations at the same time: the same objects, each in its own format. */

const system = useSystem();
let client: PreviousClient;
let current: Client;
const getChannel = () => system().channels[0];

beforeAll(async () => {
  client = await createPreviousClient(system(), getChannel());
  current = system().createClient(operator(getChannel()));
});

interface World {
  readonly traderId: string;
  readonly bundle: Issue;
  /** Serial of the certificate with this number. */
  serial(number: number): string;
  /** A selection without the issuance. */
  range(first: number, last: number): { start: string; end: string };
  /** A selection with the issuance. */
  prefixed(first: number, last: number): { start: string; end: string };
}

const newGsrn = (): string => `643002406${randomInt(100_000_000, 999_999_999)}`;

/** Creates a trader with a bundle of 100 certificates with old serials. */
async function newWorld(gsrn = newGsrn(), party?: Awaited<ReturnType<typeof onboard>>): Promise<World> {
  const serial = (number: number): string => gsrn + String(number).padStart(8, '0');
  const holder = party ?? (await onboard(system(), getChannel()));
  const bundle = await issue(system(), holder, { firstSerial: serial(1), lastSerial: serial(100) });
  const range = (first: number, last: number) => ({ start: serial(first), end: serial(last) });
  const prefixed = (first: number, last: number) => bundle.range(serial(first), serial(last));
  return { traderId: holder.traderId, bundle, serial, range, prefixed };
}

const toPath = (traderId: string, kind: TransferKind): string =>
  `${previousPrefix}/traders/${traderId}/inventory/${kind}`;
const listAssets = (traderId: string) => client.ok<Asset[]>('GET', `${previousPrefix}/traders/${traderId}/inventory`);
const listRanges = async (traderId: string) => (await listAssets(traderId)).map(({ start, end }) => ({ start, end }));
const tradeBody = (assets: { start: string; end: string }[], unitPrice = 12.5) => ({
  buyerId: buyer(getChannel()).id,
  currency: 'EUR',
  assets: assets.map((asset) => ({ ...asset, unitPrice })),
});
const start = (traderId: string, kind: TransferKind, body: unknown, key = newKey()) =>
  client.send<Task>('POST', toPath(traderId, kind), { body, headers: withIdempotencyKey(key) });
const transact = async (traderId: string, kind: TransferKind, body: unknown): Promise<Task> => {
  const started = await start(traderId, kind, body);
  expect(started.status).toBe(201);
  return waitForEnd(client, String(started.headers['location']));
};
const readRefusal = async (traderId: string, assets: { start: string; end: string }[]) => {
  const { status, body } = await client.send('POST', toPath(traderId, 'trade'), {
    body: tradeBody(assets),
    headers: withIdempotencyKey(),
  });
  return { status, faults: body.errors?.map(({ pointer, code }) => `${pointer} ${code}`) };
};

test('a trade from the middle, a retirement and an offramp in both generations', async () => {
  const { traderId, bundle, range, prefixed } = await newWorld();
  const [listed, ...others] = await listAssets(traderId);
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ ...range(1, 100), volume: 100, countryCode: 'FI' });
  expect(listed).not.toHaveProperty('issuanceId');
  expect(listed).not.toHaveProperty('certificates');

  const traded = await transact(traderId, 'trade', tradeBody([range(41, 60)], 999_999_999.123456));
  expect(traded).toMatchObject({ status: 'SUCCESS' });
  const transactionId = String(traded.responsePayload.id);
  expect(await listRanges(traderId)).toEqual([range(1, 40), range(61, 100)]);
  expect(await listRanges(buyer(getChannel()).id)).toContainEqual(range(41, 60));
  expect(await listBundles(current, traderId, bundle.issuanceId)).toEqual([
    { ...prefixed(1, 40), volume: 40 },
    { ...prefixed(61, 100), volume: 40 },
  ]);

  const path = `/transactions/${transactionId}`;
  const [before, now] = [
    await client.send<Transaction>('GET', previousPrefix + path),
    await current.send('GET', v1 + path),
  ];
  expect(before.body.assets).toEqual([{ ...range(41, 60), unitPrice: 999_999_999.123456, volume: 20 }]);
  expect(now.body).toEqual({ ...before.body, assets: [{ ...before.body.assets[0], ...prefixed(41, 60) }] });
  expect(before.text).toContain('"unitPrice":999999999.123456');
  expect(await client.ok<Transaction[]>('GET', `${previousPrefix}/transactions`)).toContainEqual(before.body);
  const taskPath = `/traders/${traderId}/inventory/trade/${traded.taskId}`;
  expect(await client.ok('GET', previousPrefix + taskPath)).toEqual(await current.ok('GET', v1 + taskPath));

  const retired = await transact(traderId, 'retire', retirementBody([range(80, 80), range(1, 5)]));
  expect(retired).toMatchObject({ status: 'SUCCESS' });
  expect(await client.ok('GET', `${previousPrefix}/traders/${traderId}/inventory/retire/${retired.taskId}`)).toEqual(
    retired,
  );
  const offramped = await transact(traderId, 'offramp', { assets: [range(99, 100)] });
  expect(offramped).toMatchObject({ status: 'SUCCESS' });
  expect(await client.ok('GET', `${previousPrefix}/traders/${traderId}/inventory/offramp/${offramped.taskId}`)).toEqual(
    offramped,
  );
  expect(await listRanges(traderId)).toEqual([range(6, 40), range(61, 79), range(81, 98)]);

  const done = [traded, retired, offramped].map(({ responsePayload }) => responsePayload.id);
  const query = { $orderBy: '{"createdAt":"desc"}', $limit: '1000' };
  const logged = async () => {
    const events = await client.ok<LogEvent[]>('GET', `${previousPrefix}/events`, { query });
    return events.filter(({ payload }) => done.includes(payload.transactionId)).map(({ id }) => id);
  };
  const ids = await eventually(async () => {
    const found = await logged();
    return found.length === 3 && found;
  }, 'the events');
  const same = await current.ok<LogEvent[]>('GET', `${v1}/events`, { query });
  expect(same.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test('an old client manages traders and proposals, and reads facilities and suppliers', async () => {
  const channel = getChannel();
  const { accountHolderId } = await system().registry.ok<{ accountHolderId: string }>(
    'POST',
    '/Registry/api/account-holders',
    { body: accountHolderBody() },
  );
  const submitted = await system().registry.ok<{ id: string }>('POST', '/Registry/api/trader-onboarding-proposals', {
    body: { accountHolderId, salesChannelId: channel.salesChannelId },
  });
  const proposals = `${previousPrefix}/trader-onboarding-proposals`;
  expect(await client.ok('POST', `${proposals}/${submitted.id}/reject`)).toMatchObject({ status: 'REJECTED' });
  await system().registry.ok('POST', '/Registry/api/trader-onboarding-proposals', {
    body: { accountHolderId, salesChannelId: channel.salesChannelId },
  });
  expect(await client.ok('POST', `${proposals}/${submitted.id}/accept`)).toMatchObject({ status: 'ACCEPTED' });
  expect(await client.ok<{ id: string }[]>('GET', proposals)).toContainEqual(
    expect.objectContaining({ id: submitted.id }),
  );
  const key = newKey();
  const body = { name: 'Old Harbour Offsets', businessId: newKey(), address: { city: 'Turku' } };
  const created = await client.send<{ id: string }>('POST', `${previousPrefix}/traders`, {
    body,
    headers: withIdempotencyKey(key),
  });
  const { id } = created.body;
  expect(created).toMatchObject({ status: 201, headers: { location: `${previousPrefix}/traders/${id}` } });
  // Idempotency keys are shared by both generations.
  const again = await current.send<{ id: string }>('POST', `${v1}/traders`, { body, headers: withIdempotencyKey(key) });
  expect(again).toMatchObject({ status: 201, body: { id }, headers: { 'idempotency-replayed': 'true' } });
  expect(await client.ok('PATCH', `${previousPrefix}/traders/${id}`, { body: { name: 'Harbour' } })).toMatchObject({
    name: 'Harbour',
  });
  expect(await client.ok('GET', `${previousPrefix}/traders/${id}`)).toEqual(
    await current.ok('GET', `${v1}/traders/${id}`),
  );
  expect(await client.ok<{ id: string }[]>('GET', `${previousPrefix}/traders`)).toContainEqual(
    expect.objectContaining({ id }),
  );
  const [facility] = await client.ok<{ id: string }[]>('GET', `${previousPrefix}/production-facilities`);
  expect(await client.ok('GET', `${previousPrefix}/production-facilities/${facility?.id}`)).toEqual(facility);
  const { traderId } = await newWorld();
  const [asset] = await listAssets(traderId);
  expect(await client.ok('GET', `${previousPrefix}/suppliers/${asset?.supplierId}`)).toMatchObject({
    id: asset?.supplierId,
  });
});

test('bundles with new serials are neither listed nor selectable', async () => {
  const party = await onboard(system(), getChannel());
  await issue(system(), party);
  const { range } = await newWorld(newGsrn(), party);
  expect(await listRanges(party.traderId)).toEqual([range(1, 100)]);
  expect(await readRefusal(party.traderId, [{ start: '1', end: '5' }])).toEqual({
    status: 400,
    faults: ['#/assets/0/start bundle'],
  });
});

test('selections over two bundles, of no certificate or of another trader are rejected', async () => {
  const { traderId, range } = await newWorld();
  const other = await newWorld();
  expect(await transact(traderId, 'trade', tradeBody([range(41, 60)]))).toMatchObject({ status: 'SUCCESS' });
  const refused = (...faults: string[]) => ({ status: 400, faults });
  expect(await readRefusal(traderId, [range(40, 61)])).toEqual(refused('#/assets/0/end bundle-end'));
  expect(await readRefusal(traderId, [range(1, 5), range(41, 42)])).toEqual(refused('#/assets/1/start bundle'));
  expect(await readRefusal(traderId, [range(101, 102)])).toEqual(refused('#/assets/0/start bundle'));
  expect(await readRefusal(traderId, [other.range(1, 1)])).toEqual(refused('#/assets/0/start bundle'));
  expect(await readRefusal(traderId, [range(1, 5), range(5, 6)])).toEqual(
    refused('#/assets/1/start selection-overlap'),
  );
  expect(
    await client.send('POST', toPath('nobody', 'trade'), {
      body: tradeBody([range(1, 1)]),
      headers: withIdempotencyKey(),
    }),
  ).toMatchObject({ status: 404 });
});

test('a range that fits bundles of two issuances is ambiguous until one of them is sold', async () => {
  const gsrn = newGsrn();
  const party = await onboard(system(), getChannel());
  const [one] = [await newWorld(gsrn, party), await newWorld(gsrn, party)];
  const ambiguous = { status: 400, faults: ['#/assets/0/start ambiguous'] };
  expect(await readRefusal(party.traderId, [one.range(1, 5)])).toEqual(ambiguous);
  const body = tradeBody([one.prefixed(1, 100)]);
  const { taskId } = await current.ok<Task>('POST', `${v1}/traders/${party.traderId}/inventory/trade`, {
    body,
    headers: withIdempotencyKey(),
  });
  await waitForEnd(current, `${v1}/traders/${party.traderId}/inventory/trade/${taskId}`);
  expect(await transact(party.traderId, 'trade', tradeBody([one.range(50, 51)]))).toMatchObject({ status: 'SUCCESS' });
});

test('a key identifies one request in both generations, wherever its certificates are now', async () => {
  const { traderId, range, prefixed } = await newWorld();
  const key = newKey();
  const currentPath = `${v1}/traders/${traderId}/inventory/trade`;
  const repeatCurrent = (assets: { start: string; end: string }[]) =>
    current.send<Task>('POST', currentPath, { body: tradeBody(assets), headers: withIdempotencyKey(key) });
  const started = await start(traderId, 'trade', tradeBody([range(41, 60)]), key);
  const ended = await waitForEnd(client, String(started.headers['location']));
  const replayed = { status: 201, body: ended, headers: { 'idempotency-replayed': 'true' } };
  expect(await start(traderId, 'trade', tradeBody([range(41, 60)]), key)).toMatchObject(replayed);
  // In the current generation a selection cannot begin in the middle of a bundle, so a new request would be rejected.
  expect(await repeatCurrent([prefixed(41, 60)])).toMatchObject({
    ...replayed,
    headers: { ...replayed.headers, location: `${currentPath}/${ended.taskId}` },
  });
  const reused = { status: 400, body: { type: '/problems/idempotency-key-reused' } };
  expect(await start(traderId, 'trade', tradeBody([range(41, 61)]), key)).toMatchObject(reused);
  expect(await repeatCurrent([prefixed(1, 5)])).toMatchObject(reused);

  const later = newKey();
  const first = await current.ok<Task>('POST', currentPath, {
    body: tradeBody([prefixed(1, 5)]),
    headers: withIdempotencyKey(later),
  });
  await waitForEnd(current, `${currentPath}/${first.taskId}`);
  expect(await start(traderId, 'trade', tradeBody([range(1, 5)]), later)).toMatchObject({
    status: 201,
    body: { taskId: first.taskId, status: 'SUCCESS' },
    headers: { 'idempotency-replayed': 'true', location: `${toPath(traderId, 'trade')}/${first.taskId}` },
  });
});

test('concurrent clients of both generations sell each certificate once', async () => {
  const { traderId, bundle, range, prefixed } = await newWorld();
  const trader = await createTrader(current);
  const body = (assets: { start: string; end: string }[]) => ({ ...tradeBody(assets), buyerId: trader });
  const wanted = Array.from({ length: 12 }, (_, index) => index);
  const tasks = await Promise.all(
    wanted.map(async (index) => {
      const isOld = index % 2 === 0;
      const answer = isOld
        ? await start(traderId, 'trade', body([range(10 + index, 30 + index)]))
        : await current.send<Task>('POST', `${v1}/traders/${traderId}/inventory/trade`, {
            body: body([prefixed(1, 10 + index)]),
            headers: withIdempotencyKey(),
          });
      if (answer.status !== 201) return undefined;
      return waitForEnd(isOld ? client : current, String(answer.headers['location']));
    }),
  );
  const sold = tasks.filter((task) => task?.status === 'SUCCESS');
  expect(sold.length).toBeGreaterThan(0);
  const [left, gone] = [
    await listBundles(current, traderId, bundle.issuanceId),
    await listBundles(current, trader, bundle.issuanceId),
  ];
  const serials = [...left, ...gone].flatMap(({ start: first, volume }) => {
    const from = BigInt(first.slice(first.lastIndexOf('_') + 1));
    return Array.from({ length: volume }, (_, offset) => String(from + BigInt(offset)));
  });
  expect(serials).toHaveLength(100);
  expect(new Set(serials).size).toBe(100);
});

test('every operation of the previous generation has succeeded', () => {
  expect(client.operations.filter((id) => !client.succeeded.has(id))).toEqual([]);
});
