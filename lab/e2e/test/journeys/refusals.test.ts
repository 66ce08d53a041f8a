import { expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import {
  withIdempotencyKey,
  operator,
  seller,
  buyer,
  issue,
  inventoryPath,
  retirementBody,
  type TransferKind,
} from '../support/api.ts';

/** Invalid selections, buyers, prices and keys. */

const system = useSystem();

test('are rejected with the member to correct', async () => {
  const [channel, other] = system().channels;
  const client = system().createClient(operator(channel));
  const { range, at } = await issue(system(), channel);
  const foreign = await issue(system(), other);
  const path = inventoryPath(seller(channel).id, 'retire');
  const cases: [string, { start: string; end: string }[], string][] = [
    ['from the middle', [range(2, 5)], '#/assets/0/start'],
    ['beyond its end', [range(1, 101)], '#/assets/0/end'],
    ['overlapping', [range(1, 5), range(5, 6)], '#/assets/1/start'],
    ['twice', [range(1, 5), range(1, 5)], '#/assets/1/start'],
    ['reversed', [{ start: at(5), end: at(1) }], '#/assets/0'],
    ['across issuances', [{ start: at(1), end: foreign.at(5) }], '#/assets/0'],
    ['of another channel', [foreign.range(1, 5)], '#/assets/0/start'],
    ['of an unknown issuance', [{ start: 'no-such-issuance_1', end: 'no-such-issuance_1' }], '#/assets/0'],
    ['with leading zeros', [{ start: at('01'), end: at('05') }], '#/assets/0'],
  ];
  for (const [name, assets, pointer] of cases) {
    const answer = await client.send('POST', path, { body: retirementBody(assets), headers: withIdempotencyKey() });
    expect({ name, status: answer.status, type: answer.body.type }).toEqual({
      name,
      status: 400,
      type: '/problems/request-refused',
    });
    expect(answer.body.errors?.[0]?.pointer).toEqual(expect.stringContaining(pointer));
  }
  expect(
    await client.send('POST', path, {
      body: retirementBody([range(1, 5), range(6, 10)]),
      headers: withIdempotencyKey(),
    }),
  ).toMatchObject({
    status: 201,
  });
});

test("are rejected identically for another channel's and for unknown certificates", async () => {
  const [channel, other] = system().channels;
  const client = system().createClient(operator(channel));
  const foreign = await issue(system(), other);
  const ask = async (issuanceId: string): Promise<string> => {
    const body = retirementBody([{ start: `${issuanceId}_1`, end: `${issuanceId}_1` }]);
    const answer = await client.send('POST', inventoryPath(seller(channel).id, 'retire'), {
      body,
      headers: { ...withIdempotencyKey(), 'x-request-id': 'r' },
    });
    return answer.text.replaceAll(issuanceId, 'ID');
  };
  expect(await ask(foreign.issuanceId)).toBe(await ask('5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913'));
});

test('invalid buyers, prices, currencies and periods are rejected', async () => {
  const [channel, other] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const priced = [{ ...range(1, 5), unitPrice: 1 }];
  const trade = { buyerId: buyer(channel).id, currency: 'EUR', assets: priced };
  const period = { start: '2024-12-31T23:59:59.000Z', end: '2024-01-01T00:00:00.000Z' };
  const cases: [TransferKind, unknown][] = [
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
    ['retire', retirementBody([...priced, range(6, 7)], 'EUR')],
    ['retire', { ...retirementBody([range(1, 5)]), consumptionPeriod: period }],
    ['retire', { ...retirementBody([range(1, 5)]), consumptionCountryCode: 'no' }],
    ['retire', { ...retirementBody([range(1, 5)]), beneficiaryLocation: '' }],
    ['offramp', { assets: priced }],
  ];
  for (const [kind, body] of cases) {
    const answer = await client.send('POST', inventoryPath(seller(channel).id, kind), {
      body,
      headers: withIdempotencyKey(),
    });
    expect({ body, status: answer.status, errors: answer.body.errors?.length }).toEqual({
      body,
      status: 400,
      errors: expect.any(Number),
    });
  }
  for (const key of [undefined, '', 'a b', 'ä', 'x'.repeat(65)]) {
    const headers: Record<string, string> =
      key === undefined ? {} : { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const answer = await client.send('POST', inventoryPath(seller(channel).id, 'trade'), { body: trade, headers });
    expect({ key, status: answer.status, parameter: answer.body.errors?.[0]?.parameter }).toEqual({
      key,
      status: 400,
      parameter: 'Idempotency-Key',
    });
  }
});
