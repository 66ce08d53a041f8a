import { describe, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import type { System } from '../../src/system.ts';
import {
  bundlesOf, buyer, createTrader, endOf, inventoryPath, issue, keyed, onboard, operator, readTransaction, reservationOf, retirementBody, seller, transfer, v1,
  type Asset, type Kind, type LogEvent, type Task,
} from '../support/world.ts';

/** Trades, retirements and offramps: tasks, transactions, what becomes of the bundles, and the events of it all. */
export function transferJourneys(system: () => System): void {
  const eventOf = (client: Client, transactionId: string): Promise<LogEvent> =>
    eventually(async () => {
      const events = await client.ok<LogEvent[]>('GET', `${v1}/events`, { query: { $orderBy: '{"createdAt":"desc"}', $limit: '1000' } });
      return events.find((event) => event.payload.transactionId === transactionId);
    }, `the event of ${transactionId}`);

  test('a trade moves the start of a bundle, at an exact price', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const { at, range, issuanceId } = await issue(system(), channel);
    const path = inventoryPath(seller(channel).id, 'trade');
    const body = { buyerId: buyer(channel).id, currency: 'USD', assets: [{ ...range(1, 40), unitPrice: 0.1 }, { ...range(41, 50), unitPrice: 999_999_999.123456 }] };
    const headers = keyed();
    const started = await client.send<Task>('POST', path, { body, headers });
    expect(started).toMatchObject({ status: 201, body: { status: 'PENDING', idempotencyKey: headers['idempotency-key'], responsePayload: {} } });
    expect(started.headers).toMatchObject({ location: `${path}/${started.body.taskId}`, 'retry-after': expect.stringMatching(/^[1-9]\d*$/) });
    const ended = await endOf(client, String(started.headers['location']));
    expect(ended).toMatchObject({ status: 'SUCCESS', taskId: started.body.taskId });
    const id = ended.responsePayload.id ?? '';

    const transaction = await client.send('GET', `${v1}/transactions/${id}`);
    expect(transaction.text).toContain('"unitPrice":999999999.123456');
    expect(transaction.body).toMatchObject({
      id, type: 'TRADE', status: 'SUCCESS', sellerId: seller(channel).id, buyerId: buyer(channel).id, currency: 'USD',
      assets: [{ ...range(1, 40), unitPrice: 0.1, volume: 40 }, { ...range(41, 50), unitPrice: 999_999_999.123456, volume: 10 }],
    });
    expect(await bundlesOf(client, seller(channel).id, issuanceId)).toEqual([{ ...range(51, 100), volume: 50 }]);
    expect(await bundlesOf(client, buyer(channel).id, issuanceId)).toEqual([{ ...range(1, 40), volume: 40 }, { ...range(41, 50), volume: 10 }]);
    const { eventAt, createdAt, ...event } = await eventOf(client, id);
    expect(event).toEqual({ id: expect.stringMatching(/^c[a-z0-9]{20,32}$/), eventType: 'TRANSACTION_STATUS_CHANGE', payload: { transactionId: id, status: 'SUCCESS' } });
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(eventAt) - 1_000);
    const listed = await client.ok<{ id: string }[]>('GET', `${v1}/transactions`);
    expect(listed.find((each) => each.id === id)).toEqual(transaction.body);
    const history = await system().registry.ok<{ type: string; transactionId: string }[]>('GET', `/Registry/api/certificates/${at(41)}/history`);
    expect(history.map(({ type }) => type)).toEqual(['ISSUANCE', 'TRADE']);
    expect(history[1]).toMatchObject({ transactionId: id, from: range(41, 100), bundle: range(41, 50) });
  });

  test('a repeated request answers with the same task, in its current state; another request with its key is refused', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const { range } = await issue(system(), channel);
    const path = inventoryPath(seller(channel).id, 'retire');
    const headers = keyed();
    const body = retirementBody([range(1, 5)]);
    const first = await client.send<Task>('POST', path, { body, headers });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const ended = await endOf(client, String(first.headers['location']));
    const again = await client.send<Task>('POST', path, { body, headers });
    expect(again).toMatchObject({ status: 201, body: ended, headers: { location: first.headers['location'], 'idempotency-replayed': 'true' } });
    expect(again.headers).not.toHaveProperty('retry-after');
    for (const changed of [{ ...body, beneficiaryName: 'Another' }, retirementBody([range(6, 7)])]) {
      const refused = await client.send('POST', path, { body: changed, headers });
      expect(refused).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
      expect(refused.text).not.toContain(first.body.taskId);
    }
    // The same key for another operation is another key.
    const offramp = await client.send<Task>('POST', inventoryPath(seller(channel).id, 'offramp'), { body: { assets: [range(6, 7)] }, headers });
    expect(offramp.headers).not.toHaveProperty('idempotency-replayed');
    expect(await endOf(client, String(offramp.headers['location']))).toMatchObject({ status: 'SUCCESS' });
  });

  test('a retirement, with prices and without, never comes back', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const { range, issuanceId } = await issue(system(), channel);
    const plain = await transfer(client, seller(channel).id, 'retire', retirementBody([range(1, 10)]));
    const full = { ...retirementBody([{ ...range(11, 20), unitPrice: 162.25 }], 'EUR'), beneficiaryType: 'SUPPLIER', usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS' };
    const priced = await transfer(client, seller(channel).id, 'retire', full);
    expect(await readTransaction(client, plain.responsePayload.id ?? '')).toMatchObject({ type: 'RETIREMENT', buyerId: null, currency: null, assets: [{ unitPrice: null, volume: 10 }] });
    expect(await readTransaction(client, priced.responsePayload.id ?? '')).toMatchObject({ type: 'RETIREMENT', currency: 'EUR', assets: [{ unitPrice: 162.25 }] });
    expect(await bundlesOf(client, seller(channel).id, issuanceId)).toEqual([{ ...range(21, 100), volume: 80 }]);
    const registry = (id: string | undefined) => system().registry.ok<{ retirement: object }>('GET', `/Registry/api/transactions/${id}`);
    expect((await registry(priced.responsePayload.id)).retirement).toMatchObject({ beneficiaryType: 'SUPPLIER', usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS' });
    expect((await registry(plain.responsePayload.id)).retirement).toMatchObject({ beneficiaryType: 'END_CONSUMER', usageType: 'GENERIC_COMPENSATION', beneficiaryLocation: 'Bergen, Norway' });
  });

  test('an offramp gives certificates back to the account holder, who can onramp them again', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const { range, issuanceId } = await issue(system(), channel);
    const task = await transfer(client, seller(channel).id, 'offramp', { assets: [range(1, 100)] });
    expect(await readTransaction(client, task.responsePayload.id ?? '')).toMatchObject({ type: 'OFFRAMP', buyerId: null, currency: null, status: 'SUCCESS' });
    expect(await bundlesOf(client, seller(channel).id, issuanceId)).toEqual([]);
    const body = { salesChannelId: channel.salesChannelId, assets: [range(1, 30)] };
    const onramped = await system().registry.send<{ type: string }>('POST', `/Registry/api/account-holders/${channel.accountHolderId}/onramps`, { body });
    expect(onramped).toMatchObject({ status: 201, body: { type: 'ONRAMP', buyerId: seller(channel).id } });
    expect(await bundlesOf(client, seller(channel).id, issuanceId)).toEqual([{ ...range(1, 30), volume: 30 }]);

    const own = await createTrader(client);
    await transfer(client, seller(channel).id, 'trade', { buyerId: own, currency: 'EUR', assets: [{ ...range(1, 10), unitPrice: 1 }] });
    const refused = await client.send('POST', inventoryPath(own, 'offramp'), { body: { assets: [range(1, 10)] }, headers: keyed() });
    expect(refused).toMatchObject({ status: 400, body: { type: '/problems/request-refused' } });
  });

  test('certificates of the old form keep their digits', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const [firstSerial, lastSerial] = ['00000643002406801000017000000000000001', '00000643002406801000017000000000000900'];
    const { at, issuanceId } = await issue(system(), channel, { firstSerial, lastSerial });
    const cut = '00000643002406801000017000000000000300';
    const task = await transfer(client, seller(channel).id, 'retire', retirementBody([{ start: at(firstSerial), end: at(cut) }]));
    expect(await readTransaction(client, task.responsePayload.id ?? '')).toMatchObject({ assets: [{ start: at(firstSerial), end: at(cut), volume: 300 }] });
    const assets = await client.ok<Asset[]>('GET', `${v1}/traders/${seller(channel).id}/inventory`);
    const rest = assets.find((asset) => asset.issuanceId === issuanceId);
    expect(rest).toMatchObject({ start: at('00000643002406801000017000000000000301'), end: at(lastSerial), volume: 600 });
    expect(rest?.certificates).toBe(`PURO_PR_CORC100+_FI_NBC001_2025_${issuanceId}_00000643002406801000017000000000000301-${lastSerial}`);
  });

  describe('a selection is refused', () => {
    test('with the member to correct', async () => {
      const [channel, other] = system().channels;
      const client = system().as(operator(channel));
      const { range, at } = await issue(system(), channel);
      const foreign = await issue(system(), other);
      const path = inventoryPath(seller(channel).id, 'retire');
      const cases: [string, { start: string; end: string }[], string][] = [
        ['from the middle', [range(2, 5)], '#/assets/0/start'],
        ['beyond its end', [range(1, 101)], '#/assets/0/end'],
        ['overlapping', [range(1, 5), range(5, 6)], '#/assets/1/start'],
        ['twice', [range(1, 5), range(1, 5)], '#/assets/1/start'],
        ['backwards', [{ start: at(5), end: at(1) }], '#/assets/0'],
        ['across issuances', [{ start: at(1), end: foreign.at(5) }], '#/assets/0'],
        ['of another channel', [foreign.range(1, 5)], '#/assets/0/start'],
        ['of nothing', [{ start: 'no-such-issuance_1', end: 'no-such-issuance_1' }], '#/assets/0'],
        ['with other zeros', [{ start: at('01'), end: at('05') }], '#/assets/0'],
      ];
      for (const [name, assets, pointer] of cases) {
        const answer = await client.send('POST', path, { body: retirementBody(assets), headers: keyed() });
        expect({ name, status: answer.status, type: answer.body.type }).toEqual({ name, status: 400, type: '/problems/request-refused' });
        expect(answer.body.errors?.[0]?.pointer).toEqual(expect.stringContaining(pointer));
      }
      expect(await client.send('POST', path, { body: retirementBody([range(1, 5), range(6, 10)]), headers: keyed() })).toMatchObject({ status: 201 });
    });

    test('as another channel\'s exactly like nobody\'s', async () => {
      const [channel, other] = system().channels;
      const client = system().as(operator(channel));
      const foreign = await issue(system(), other);
      const ask = async (issuanceId: string): Promise<string> => {
        const body = retirementBody([{ start: `${issuanceId}_1`, end: `${issuanceId}_1` }]);
        const answer = await client.send('POST', inventoryPath(seller(channel).id, 'retire'), { body, headers: { ...keyed(), 'x-request-id': 'r' } });
        return answer.text.replaceAll(issuanceId, 'ID');
      };
      expect(await ask(foreign.issuanceId)).toBe(await ask('5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913'));
    });

    test('and so are buyers, prices, currencies and periods that do not fit', async () => {
      const [channel, other] = system().channels;
      const client = system().as(operator(channel));
      const { range } = await issue(system(), channel);
      const priced = [{ ...range(1, 5), unitPrice: 1 }];
      const trade = { buyerId: buyer(channel).id, currency: 'EUR', assets: priced };
      const period = { start: '2024-12-31T23:59:59.000Z', end: '2024-01-01T00:00:00.000Z' };
      const cases: [Kind, unknown][] = [
        ['trade', { ...trade, buyerId: seller(channel).id }],
        ['trade', { ...trade, buyerId: buyer(other).id }],
        ['trade', { ...trade, buyerId: 'nobody' }],
        ['trade', { ...trade, currency: null }],
        ['trade', { ...trade, currency: 'CHF' }],
        ['trade', { ...trade, assets: [range(1, 5)] }],
        ['trade', { ...trade, assets: [] }],
        ['trade', { ...trade, assets: [{ ...range(1, 5), unitPrice: -1 }] }],
        ['trade', { ...trade, assets: [{ ...range(1, 5), unitPrice: 0.1234567 }] }],
        ['retire', retirementBody(priced)],
        ['retire', retirementBody([range(1, 5)], 'EUR')],
        ['retire', retirementBody([...priced, range(6, 7)], 'EUR')],
        ['retire', { ...retirementBody([range(1, 5)]), consumptionPeriod: period }],
        ['retire', { ...retirementBody([range(1, 5)]), consumptionCountryCode: 'no' }],
        ['retire', { ...retirementBody([range(1, 5)]), beneficiaryLocation: '' }],
        ['offramp', { assets: priced }],
      ];
      for (const [kind, body] of cases) {
        const answer = await client.send('POST', inventoryPath(seller(channel).id, kind), { body, headers: keyed() });
        expect({ body, status: answer.status, errors: answer.body.errors?.length }).toEqual({ body, status: 400, errors: expect.any(Number) });
      }
      for (const key of [undefined, '', 'a b', 'ä', 'x'.repeat(65)]) {
        const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': Buffer.from(key).toString('latin1') };
        const answer = await client.send('POST', inventoryPath(seller(channel).id, 'trade'), { body: trade, headers });
        expect({ key, status: answer.status, parameter: answer.body.errors?.[0]?.parameter }).toEqual({ key, status: 400, parameter: 'Idempotency-Key' });
      }
    });
  });

  describe('with a seller who wants to approve', () => {
    async function pending(kind: Kind) {
      const [channel] = system().channels;
      const client = system().as(operator(channel));
      const party = await onboard(system(), channel, { autoApproval: false });
      const bundle = await issue(system(), party);
      const assets = [bundle.range(1, 60)];
      const body = kind === 'trade' ? { buyerId: buyer(channel).id, currency: 'EUR', assets: assets.map((asset) => ({ ...asset, unitPrice: 12.5 })) }
        : kind === 'retire' ? retirementBody(assets) : { assets };
      const path = inventoryPath(party.traderId, kind);
      const { taskId } = await client.ok<Task>('POST', path, { body, headers: keyed() });
      const taskPath = `${path}/${taskId}`;
      const transactionId = await reservationOf(client, taskPath);
      expect(await client.send('GET', taskPath)).toMatchObject({ body: { status: 'PENDING', responsePayload: { id: transactionId } }, headers: { 'retry-after': expect.any(String) } });
      expect(await readTransaction(client, transactionId)).toMatchObject({ status: 'PENDING', completedAt: null });
      expect(await bundlesOf(client, party.traderId, bundle.issuanceId)).toEqual([{ ...bundle.range(61, 100), volume: 40 }]);
      const decide = (word: 'approve' | 'reject') => system().registry.send<{ status: string }>('POST', `/Registry/api/transactions/${transactionId}/${word}`);
      return { channel, client, bundle, party, taskPath, transactionId, decide };
    }

    test.each<[Kind, string]>([['trade', 'TRADE'], ['retire', 'RETIREMENT'], ['offramp', 'OFFRAMP']])('an approved %s is carried out', async (kind, type) => {
      const { client, decide, taskPath, transactionId, party, bundle, channel } = await pending(kind);
      const approved = await decide('approve');
      expect(approved).toMatchObject({ status: 200, body: { status: 'SUCCESS', type } });
      expect((await decide('approve')).body).toEqual(approved.body);
      expect(await decide('reject')).toMatchObject({ status: 400, body: { type: '/problems/request-refused' } });
      expect(await endOf(client, taskPath)).toMatchObject({ status: 'SUCCESS', responsePayload: { id: transactionId } });
      expect(await eventOf(client, transactionId)).toMatchObject({ payload: { status: 'SUCCESS' } });
      expect(await bundlesOf(client, party.traderId, bundle.issuanceId)).toEqual([{ ...bundle.range(61, 100), volume: 40 }]);
      expect(await bundlesOf(client, buyer(channel).id, bundle.issuanceId)).toEqual(kind === 'trade' ? [{ ...bundle.range(1, 60), volume: 60 }] : []);
    });

    test('a rejected one is undone, and the bundle is one again', async () => {
      const { client, decide, taskPath, transactionId, party, bundle } = await pending('trade');
      const rejected = await decide('reject');
      expect(rejected).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
      expect((await decide('reject')).body).toEqual(rejected.body);
      expect((await decide('approve')).status).toBe(400);
      expect(await endOf(client, taskPath)).toMatchObject({ status: 'REJECTED', responsePayload: { id: transactionId } });
      expect(await eventOf(client, transactionId)).toMatchObject({ payload: { status: 'REJECTED' } });
      expect(await bundlesOf(client, party.traderId, bundle.issuanceId)).toEqual([{ ...bundle.range(1, 100), volume: 100 }]);
    });
  });

  test('events are filtered, ordered and limited, in brackets as in JSON', async () => {
    const [channel] = system().channels;
    const client = system().as(operator(channel));
    const { range } = await issue(system(), channel);
    const ids = [];
    for (const at of [1, 2, 3]) ids.push((await transfer(client, seller(channel).id, 'retire', retirementBody([range(at, at)]))).responsePayload.id);
    await eventOf(client, ids.at(-1) ?? '');
    const list = (query: Record<string, string>): Promise<LogEvent[]> => client.ok('GET', `${v1}/events`, { query });
    const all = await list({ $limit: '1000' });
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted());
    expect(new Set(all.map(({ createdAt }) => createdAt)).size).toBe(all.length);
    expect(await list({ '$orderBy[createdAt]': 'desc', $limit: '1000' })).toEqual(all.toReversed());
    const key = all.at(-2)?.createdAt ?? '';
    expect(await list({ $filter: JSON.stringify({ createdAt: { gte: key } }) })).toEqual(all.slice(-2));
    expect(await list({ '$filter[createdAt][gte]': key })).toEqual(all.slice(-2));
    expect(await list({ '$filter[createdAt][gt]': key, '$filter[eventType][eq]': 'TRANSACTION_STATUS_CHANGE' })).toEqual(all.slice(-1));
    expect(await list({ $filter: JSON.stringify({ createdAt: { gte: key, lt: all.at(-1)?.createdAt } }), $limit: '5' })).toEqual(all.slice(-2, -1));
    expect(await list({ '$filter[createdAt][lte]': all[1]?.createdAt ?? '', $orderBy: '{"createdAt":"desc"}', $limit: '1' })).toEqual(all.slice(1, 2));
    for (const query of [{ $limit: '1001' }, { $limit: '0' }, { $limit: 'ten' }, { $filter: '{"createdAt":{"gte":1}}' }, { $orderBy: '{"id":"asc"}' }, { limit: '1' }]) {
      expect((await client.send('GET', `${v1}/events`, { query: query as unknown as Record<string, string> })).status).toBe(400);
    }
  });
}
