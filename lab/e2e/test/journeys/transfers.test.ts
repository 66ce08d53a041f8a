import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import {
  v1,
  withIdempotencyKey,
  operator,
  seller,
  buyer,
  issue,
  listBundles,
  inventoryPath,
  runTransfer,
  waitForEnd,
  waitForEvent,
  readTransaction,
  retirementBody,
  createTrader,
  type Task,
  type Asset,
  type LogEvent,
} from '../support/api.ts';

/** Trades, retirements and offramps: tasks, transactions, bundles and events. */

const system = useSystem();

test('a trade moves the start of a bundle, at an exact price', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { at, range, issuanceId } = await issue(system(), channel);
  const path = inventoryPath(seller(channel).id, 'trade');
  const body = {
    buyerId: buyer(channel).id,
    currency: 'USD',
    assets: [
      { ...range(1, 40), unitPrice: 0.1 },
      { ...range(41, 50), unitPrice: 999_999_999.123456 },
    ],
  };
  const headers = withIdempotencyKey();
  const started = await client.send<Task>('POST', path, { body, headers });
  expect(started).toMatchObject({
    status: 201,
    body: { status: 'PENDING', idempotencyKey: headers['idempotency-key'], responsePayload: {} },
  });
  expect(started.headers).toMatchObject({
    location: `${path}/${started.body.taskId}`,
    'retry-after': expect.stringMatching(/^[1-9]\d*$/),
  });
  const ended = await waitForEnd(client, String(started.headers['location']));
  expect(ended).toMatchObject({ status: 'SUCCESS', taskId: started.body.taskId });
  const id = ended.responsePayload.id ?? '';

  const transaction = await client.send('GET', `${v1}/transactions/${id}`);
  expect(transaction.text).toContain('"unitPrice":999999999.123456');
  expect(transaction.body).toMatchObject({
    id,
    type: 'TRADE',
    status: 'SUCCESS',
    sellerId: seller(channel).id,
    buyerId: buyer(channel).id,
    currency: 'USD',
    assets: [
      { ...range(1, 40), unitPrice: 0.1, volume: 40 },
      { ...range(41, 50), unitPrice: 999_999_999.123456, volume: 10 },
    ],
  });
  expect(await listBundles(client, seller(channel).id, issuanceId)).toEqual([{ ...range(51, 100), volume: 50 }]);
  expect(await listBundles(client, buyer(channel).id, issuanceId)).toEqual([
    { ...range(1, 40), volume: 40 },
    { ...range(41, 50), volume: 10 },
  ]);
  const { eventAt, createdAt, ...event } = await waitForEvent(client, id);
  expect(event).toEqual({
    id: expect.stringMatching(/^c[a-z0-9]{20,32}$/),
    eventType: 'TRANSACTION_STATUS_CHANGE',
    payload: { transactionId: id, status: 'SUCCESS' },
  });
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(eventAt) - 1_000);
  const listed = await client.ok<{ id: string }[]>('GET', `${v1}/transactions`);
  expect(listed.find((each) => each.id === id)).toEqual(transaction.body);
  const history = await system().registry.ok<{ type: string; transactionId: string }[]>(
    'GET',
    `/Registry/api/certificates/${at(41)}/history`,
  );
  expect(history.map(({ type }) => type)).toEqual(['ISSUANCE', 'TRADE']);
  expect(history[1]).toMatchObject({ transactionId: id, from: range(41, 100), bundle: range(41, 50) });
});

test('a repeated request returns the same task; a different request with its key is rejected', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const path = inventoryPath(seller(channel).id, 'retire');
  const headers = withIdempotencyKey();
  const body = retirementBody([range(1, 5)]);
  const first = await client.send<Task>('POST', path, { body, headers });
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  const ended = await waitForEnd(client, String(first.headers['location']));
  const again = await client.send<Task>('POST', path, { body, headers });
  expect(again).toMatchObject({
    status: 201,
    body: ended,
    headers: { location: first.headers['location'], 'idempotency-replayed': 'true' },
  });
  expect(again.headers).not.toHaveProperty('retry-after');
  for (const changed of [{ ...body, beneficiaryName: 'Another' }, retirementBody([range(6, 7)])]) {
    const refused = await client.send('POST', path, { body: changed, headers });
    expect(refused).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
    expect(refused.text).not.toContain(first.body.taskId);
  }
  // Keys are separate per operation.
  const offramp = await client.send<Task>('POST', inventoryPath(seller(channel).id, 'offramp'), {
    body: { assets: [range(6, 7)] },
    headers,
  });
  expect(offramp.headers).not.toHaveProperty('idempotency-replayed');
  expect(await waitForEnd(client, String(offramp.headers['location']))).toMatchObject({ status: 'SUCCESS' });
});

test('a key depends on the path but not on number notation, and a rejection does not use it up', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, at } = await issue(system(), channel);
  const headers = withIdempotencyKey();
  const path = inventoryPath(seller(channel).id, 'trade');
  const text = (price: string): string =>
    `{"buyerId":"${buyer(channel).id}","currency":"EUR",` +
    `"assets":[{"unitPrice":${price},"start":"${at(1)}","end":"${at(2)}"}]}`;
  const refused = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(2, 3), unitPrice: 1 }] };
  expect((await client.send('POST', path, { body: refused, headers })).status).toBe(400);
  const started = await client.send<Task>('POST', path, { body: text('10'), headers });
  expect(started.status).toBe(201);
  for (const price of ['10.0', '1e1', '10.000'])
    expect((await client.send<Task>('POST', path, { body: text(price), headers })).body.taskId).toBe(
      started.body.taskId,
    );
  const other = await client.send('POST', inventoryPath(buyer(channel).id, 'trade'), {
    body: { ...refused, buyerId: seller(channel).id },
    headers,
  });
  expect(other).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
});

test('1000 selections form one transaction', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, issuanceId } = await issue(system(), channel, { lastSerial: '2000' });
  const assets = Array.from({ length: 1_000 }, (_, index) => ({
    ...range(index + 1, index + 1),
    unitPrice: 0.000001,
  }));
  const task = await runTransfer(client, seller(channel).id, 'trade', {
    buyerId: buyer(channel).id,
    currency: 'EUR',
    assets,
  });
  expect((await readTransaction(client, task.responsePayload.id ?? '')).assets).toEqual(
    assets.map((asset) => ({ ...asset, volume: 1 })),
  );
  expect(await listBundles(client, buyer(channel).id, issuanceId)).toHaveLength(1_000);
});

test('expired certificates are not listed, and cannot be moved', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, issuanceId } = await issue(system(), channel, { expirationDate: '2025-12-31T00:00:00.000Z' });
  expect(await listBundles(client, seller(channel).id, issuanceId)).toEqual([]);
  expect(
    (
      await client.send('POST', inventoryPath(seller(channel).id, 'retire'), {
        body: retirementBody([range(1, 1)]),
        headers: withIdempotencyKey(),
      })
    ).status,
  ).toBe(400);
});

test('retired certificates, with and without prices, cannot be moved again', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, issuanceId } = await issue(system(), channel);
  const plain = await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(1, 10)]));
  const full = {
    ...retirementBody([{ ...range(11, 20), unitPrice: 162.25 }], 'EUR'),
    beneficiaryType: 'SUPPLIER',
    usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS',
  };
  const priced = await runTransfer(client, seller(channel).id, 'retire', full);
  const unpriced = retirementBody([{ ...range(21, 25), unitPrice: null }], 'USD');
  const inCurrency = await runTransfer(client, seller(channel).id, 'retire', unpriced);
  expect(await readTransaction(client, inCurrency.responsePayload.id ?? '')).toMatchObject({
    currency: 'USD',
    assets: [{ unitPrice: null, volume: 5 }],
  });
  expect(await readTransaction(client, plain.responsePayload.id ?? '')).toMatchObject({
    type: 'RETIREMENT',
    buyerId: null,
    currency: null,
    assets: [{ unitPrice: null, volume: 10 }],
  });
  expect(await readTransaction(client, priced.responsePayload.id ?? '')).toMatchObject({
    type: 'RETIREMENT',
    currency: 'EUR',
    assets: [{ unitPrice: 162.25 }],
  });
  expect(await listBundles(client, seller(channel).id, issuanceId)).toEqual([{ ...range(26, 100), volume: 75 }]);
  const registry = (id: string | undefined) =>
    system().registry.ok<{ retirement: object }>('GET', `/Registry/api/transactions/${id}`);
  // The channel reads the details that it sent.
  const detail = await client.ok<{ retirement: object }>(
    'GET',
    `${v1}/transactions/${priced.responsePayload.id}/detail`,
  );
  expect(detail.retirement).toEqual((await registry(priced.responsePayload.id)).retirement);
  expect((await registry(priced.responsePayload.id)).retirement).toMatchObject({
    beneficiaryType: 'SUPPLIER',
    usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS',
  });
  expect((await registry(plain.responsePayload.id)).retirement).toMatchObject({
    beneficiaryType: 'END_CONSUMER',
    usageType: 'GENERIC_COMPENSATION',
    beneficiaryLocation: 'Bergen, Norway',
  });
});

test('an offramp returns certificates to the account holder, who can onramp them again', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, issuanceId } = await issue(system(), channel);
  const task = await runTransfer(client, seller(channel).id, 'offramp', { assets: [range(1, 100)] });
  expect(await readTransaction(client, task.responsePayload.id ?? '')).toMatchObject({
    type: 'OFFRAMP',
    buyerId: null,
    currency: null,
    status: 'SUCCESS',
  });
  expect(await listBundles(client, seller(channel).id, issuanceId)).toEqual([]);
  const body = { salesChannelId: channel.salesChannelId, assets: [range(1, 30)] };
  const onramped = await system().registry.send<{ type: string }>(
    'POST',
    `/Registry/api/account-holders/${channel.accountHolderId}/onramps`,
    { body },
  );
  expect(onramped).toMatchObject({ status: 201, body: { type: 'ONRAMP', buyerId: seller(channel).id } });
  expect(await listBundles(client, seller(channel).id, issuanceId)).toEqual([{ ...range(1, 30), volume: 30 }]);

  const own = await createTrader(client);
  await runTransfer(client, seller(channel).id, 'trade', {
    buyerId: own,
    currency: 'EUR',
    assets: [{ ...range(1, 10), unitPrice: 1 }],
  });
  const refused = await client.send('POST', inventoryPath(own, 'offramp'), {
    body: { assets: [range(1, 10)] },
    headers: withIdempotencyKey(),
  });
  expect(refused).toMatchObject({ status: 400, body: { type: '/problems/request-refused' } });
});

test('certificates with old serials keep their digits', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const [firstSerial, lastSerial] = [
    '00000643002406801000017000000000000001',
    '00000643002406801000017000000000000900',
  ];
  const { at, issuanceId } = await issue(system(), channel, { firstSerial, lastSerial });
  const cut = '00000643002406801000017000000000000300';
  const task = await runTransfer(
    client,
    seller(channel).id,
    'retire',
    retirementBody([{ start: at(firstSerial), end: at(cut) }]),
  );
  expect(await readTransaction(client, task.responsePayload.id ?? '')).toMatchObject({
    assets: [{ start: at(firstSerial), end: at(cut), volume: 300 }],
  });
  const assets = await client.ok<Asset[]>('GET', `${v1}/traders/${seller(channel).id}/inventory`);
  const rest = assets.find((asset) => asset.issuanceId === issuanceId);
  expect(rest).toMatchObject({
    start: at('00000643002406801000017000000000000301'),
    end: at(lastSerial),
    volume: 600,
  });
  expect(rest?.certificates).toBe(
    `PURO_PR_CORC100+_FI_NBC001_2025_${issuanceId}_00000643002406801000017000000000000301-${lastSerial}`,
  );
});

test('events are filtered, ordered and limited, in brackets and in JSON', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const ids = [];
  for (const at of [1, 2, 3])
    ids.push(
      (await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(at, at)]))).responsePayload.id,
    );
  await waitForEvent(client, ids.at(-1) ?? '');
  const list = (query: Record<string, string>): Promise<LogEvent[]> => client.ok('GET', `${v1}/events`, { query });
  const all = await list({ $limit: '1000' });
  expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted());
  expect(new Set(all.map(({ createdAt }) => createdAt)).size).toBe(all.length);
  expect(await list({ '$orderBy[createdAt]': 'desc', $limit: '1000' })).toEqual(all.toReversed());
  const key = all.at(-2)?.createdAt ?? '';
  expect(await list({ $filter: JSON.stringify({ createdAt: { gte: key } }) })).toEqual(all.slice(-2));
  expect(await list({ '$filter[createdAt][gte]': key })).toEqual(all.slice(-2));
  expect(await list({ '$filter[createdAt][gt]': key, '$filter[eventType][eq]': 'TRANSACTION_STATUS_CHANGE' })).toEqual(
    all.slice(-1),
  );
  expect(
    await list({ $filter: JSON.stringify({ createdAt: { gte: key, lt: all.at(-1)?.createdAt } }), $limit: '5' }),
  ).toEqual(all.slice(-2, -1));
  expect(
    await list({ '$filter[createdAt][lte]': all[1]?.createdAt ?? '', $orderBy: '{"createdAt":"desc"}', $limit: '1' }),
  ).toEqual(all.slice(1, 2));
  for (const query of [
    { $limit: '1001' },
    { $limit: '0' },
    { $limit: 'ten' },
    { $filter: '{"createdAt":{"gte":1}}' },
    { $orderBy: '{"id":"asc"}' },
    { $limit: '1', limit: '1' },
  ]) {
    expect(
      (await client.send('GET', `${v1}/events`, { query: query as unknown as Record<string, string> })).status,
    ).toBe(400);
  }
});

test('tasks are listed with their details, and as CSV', async () => {
  const [channel, other] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const { taskId } = await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(1, 1)]));
  type Listed = Task & { type: string; traderId: string; createdAt: string };
  const query = { '$filter[type][eq]': 'RETIREMENT', '$filter[status][eq]': 'SUCCESS', $limit: '3' };
  const [youngest] = await client.ok<Listed[]>('GET', `${v1}/tasks`, { query });
  expect(youngest).toMatchObject({ taskId, type: 'RETIREMENT', traderId: seller(channel).id, status: 'SUCCESS' });
  const file = await client.send('GET', `${v1}/tasks`, { query, headers: { accept: 'text/csv' } });
  expect(file.text.split('\r\n')[1]).toContain(`${taskId},SUCCESS,`);
  const theirs = await system()
    .createClient(operator(other))
    .ok<Listed[]>('GET', `${v1}/tasks`, { query: { $limit: '1000' } });
  expect(theirs.map((task) => task.taskId)).not.toContain(taskId);
});

test('an event stream resumes after the last event and sends the next one', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const opening = await client.send('GET', `${v1}/events/stream`);
  expect(opening.status).toBe(200);
  expect(opening.text).toMatch(/^retry: 2000\n\n/);
  const [last] = await client.ok<LogEvent[]>('GET', `${v1}/events`, {
    query: { '$orderBy[createdAt]': 'desc', $limit: '1' },
  });
  const authorization = `Bearer ${await system().fetchAccessToken(operator(channel))}`;
  const stream = await request(`${system().baseUrl}${v1}/events/stream`, {
    headers: { authorization, 'last-event-id': last?.id ?? '0' },
  });
  const { range } = await issue(system(), channel);
  const done = await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(1, 1)]));
  const event = await waitForEvent(client, done.responsePayload.id ?? '');
  let come = '';
  for await (const piece of stream.body) {
    come += String(piece);
    if (come.includes(event.id) && come.endsWith('\n\n')) break;
  }
  expect(come).toContain(`id: ${event.id}\nevent: ${event.eventType}\ndata: ${JSON.stringify(event)}\n\n`);
});

testCoverage('transfers');
