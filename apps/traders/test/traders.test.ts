import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { entity, startTraders, type Traders } from './support/traders.ts';

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

const NOT_FOUND = { code: 'not-found', message: 'The resource does not exist or is not visible to you.' };
const odd = 'O\'Neil "\\ ? ?? $1 ; -- 🌲 \\u0000 ½';

describe('CreateTrader', () => {
  test('creates a trader of the channel', async () => {
    const channel = newId();
    const { trader, replayed } = await traders.create(channel);
    expect(replayed).toBe(false);
    expect(trader).toEqual({ id: expect.stringMatching(/^c[0-9a-z]{24}$/), ...entity });
    expect(await traders.get(channel, trader.id)).toEqual(trader);
  });

  test('requires no member of the address, and keeps empty ones', async () => {
    expect((await traders.create(newId(), { address: {} })).trader?.address).toEqual({});
    expect((await traders.create(newId(), { address: { city: '' } })).trader?.address).toEqual({ city: '' });
  });

  test('keeps any text unchanged', async () => {
    const channel = newId();
    const { trader } = await traders.create(channel, { name: odd, businessId: odd, address: { street: odd } });
    expect(await traders.get(channel, trader.id)).toEqual({
      id: trader.id,
      name: odd,
      businessId: odd,
      address: { street: odd },
    });
  });

  test.each([
    [{ businessId: '' }, '#/businessId', 'minLength'],
    [{ businessId: 'x'.repeat(201) }, '#/businessId', 'maxLength'],
    [{ name: '' }, '#/name', 'minLength'],
    [{ name: 'x'.repeat(201) }, '#/name', 'maxLength'],
    [{ name: 'a\0b' }, '#/name', 'nul-character'],
    [{ name: 'a\u001b[2J' }, '#/name', 'pattern'],
    [{ businessId: 'a\u0085b' }, '#/businessId', 'pattern'],
    [{ address: { street: 'a\u2066b' } }, '#/address/street', 'pattern'],
    [{ address: null }, '#/address', 'type'],
    [{ address: { zipCode: 'x'.repeat(1_001) } }, '#/address/zipCode', 'maxLength'],
    [{ address: { poBox: '\0' } }, '#/address/poBox', 'nul-character'],
  ])('invalid-request: %j', async (fields, pointer, code) => {
    const channel = newId();
    expect(await catchFailure(traders.create(channel, fields))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer, code }],
    });
    expect(await traders.list(channel)).toEqual([]);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'ä', 'key\n'])('invalid-request: the key %p', async (idempotencyKey) => {
    const error = await catchFailure(traders.create(newId(), { idempotencyKey }));
    expect(error).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'Idempotency-Key', code: 'pattern' }],
    });
  });

  test('all faults are reported', async () => {
    const error = await catchFailure(
      traders.create(newId(), { idempotencyKey: '', name: '', businessId: '', address: null }),
    );
    expect(error.violations?.map(({ code }) => code)).toEqual(['minLength', 'minLength', 'type', 'pattern']);
  });
});

describe('CreateTrader with a used key', () => {
  test('the same request returns the same trader', async () => {
    const channel = newId();
    const idempotencyKey = `${'x'.repeat(62)}-_`;
    const first = await traders.create(channel, { idempotencyKey });
    const again = await traders.create(channel, { idempotencyKey });
    expect(again).toEqual({ trader: first.trader, replayed: true });
    expect(await traders.list(channel)).toHaveLength(1);
  });

  test.each([
    { name: 'Another AS' },
    { businessId: 'NO-1' },
    { address: {} },
    { address: { ...entity.address, poBox: '' } },
  ])('idempotency-key-reused, without data of the first request: %j', async (fields) => {
    const channel = newId();
    const idempotencyKey = newId();
    const { trader } = await traders.create(channel, { idempotencyKey });
    const error = await catchFailure(traders.create(channel, { idempotencyKey, ...fields }));
    expect(error).toMatchObject({
      code: 'idempotency-key-reused',
      violations: [{ parameter: 'Idempotency-Key', code: 'reused' }],
    });
    const response = JSON.stringify([error.message, error.violations]);
    for (const secret of [trader.id, entity.name, entity.businessId, entity.address.city])
      expect(response).not.toContain(secret);
    expect(await traders.list(channel)).toEqual([trader]);
  });

  test('the key belongs to the channel', async () => {
    const idempotencyKey = newId();
    const [one, other] = [newId(), newId()];
    const first = await traders.create(one, { idempotencyKey });
    const second = await traders.create(other, { idempotencyKey, name: 'Another AS' });
    expect(second.replayed).toBe(false);
    expect(second.trader.id).not.toBe(first.trader.id);
  });

  test('a refused request does not use up its key', async () => {
    const channel = newId();
    const idempotencyKey = newId();
    await catchFailure(traders.create(channel, { idempotencyKey, name: '' }));
    expect((await traders.create(channel, { idempotencyKey })).replayed).toBe(false);
  });

  test('the response has the current state of the trader', async () => {
    const channel = newId();
    const idempotencyKey = newId();
    const { trader } = await traders.create(channel, { idempotencyKey });
    const changed = await traders.update(channel, trader.id, { name: 'Fjordkarbon Norge AS' });
    expect(await traders.create(channel, { idempotencyKey })).toEqual({ trader: changed, replayed: true });
  });
});

describe('UpdateTrader merges by RFC 7396', () => {
  const address = { zipCode: '0484', city: 'Oslo' };
  const before = { businessId: 'NO-1', name: 'a', address };
  test.each([
    ['an omitted member stays', {}, before],
    ['a member is replaced', { name: 'c' }, { ...before, name: 'c' }],
    ['several members are replaced', { name: 'c', businessId: 'd' }, { businessId: 'd', name: 'c', address }],
    [
      'a member of the address is added',
      { address: { street: 'e' } },
      { ...before, address: { ...address, street: 'e' } },
    ],
    [
      'a member of the address is replaced',
      { address: { city: 'e' } },
      { ...before, address: { zipCode: '0484', city: 'e' } },
    ],
    ['a member of the address is removed', { address: { city: null } }, { ...before, address: { zipCode: '0484' } }],
    [
      'a member of the address is removed, the others stay',
      { address: { city: null, street: 'e' } },
      { ...before, address: { zipCode: '0484', street: 'e' } },
    ],
    ['removing an absent member changes nothing', { address: { poBox: null } }, before],
    ['an empty address changes nothing', { address: {} }, before],
    ['an empty text is a value', { address: { city: '' } }, { ...before, address: { zipCode: '0484', city: '' } }],
    [
      'any text is kept unchanged',
      { name: odd, address: { city: odd } },
      { ...before, name: odd, address: { zipCode: '0484', city: odd } },
    ],
    ['the last of two members counts', '{"name": "b", "name": "c"}', { ...before, name: 'c' }],
  ])('%s', async (_what, patch, after) => {
    const channel = newId();
    const { trader } = await traders.create(channel, before);
    const expected = { id: trader.id, ...after };
    expect(await traders.update(channel, trader.id, patch)).toEqual(expected);
    expect(await traders.get(channel, trader.id)).toEqual(expected);
    expect(await traders.list(channel)).toEqual([expected]);
  });

  // src/domain/trader.test.ts covers all refusals.
  test.each([
    [{ name: null }, '#/name'],
    [{ address: null }, '#/address'],
    [{ businessId: 5 }, '#/businessId'],
    [{ address: { zipCode: 5 } }, '#/address/zipCode'],
    [{ address: { planet: 'Earth' } }, '#/address/planet'],
    [{ id: 'c1' }, '#/id'],
    ['[]', '#'],
    ['{', '#'],
  ])('invalid-request: %j', async (patch, pointer) => {
    const channel = newId();
    const { trader } = await traders.create(channel);
    expect(await catchFailure(traders.update(channel, trader.id, patch))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer }],
    });
    expect(await traders.get(channel, trader.id)).toEqual(trader);
  });

  test("not-found: an unknown trader, and equally another channel's", async () => {
    const channel = newId();
    const { trader } = await traders.create(channel);
    for (const traderId of [newId(), '', 'a\0b', "'"])
      expect(await catchFailure(traders.update(channel, traderId, { name: 'x' }))).toMatchObject(NOT_FOUND);
    expect(await catchFailure(traders.update(newId(), trader.id, { name: 'x' }))).toMatchObject(NOT_FOUND);
    expect(await traders.get(channel, trader.id)).toEqual(trader);
  });
});

describe('GetTrader', () => {
  test("not-found: an unknown trader, and equally another channel's", async () => {
    const channel = newId();
    const { trader } = await traders.create(channel);
    for (const traderId of [newId(), '', 'a\0b', "'"])
      expect(await catchFailure(traders.get(channel, traderId))).toMatchObject(NOT_FOUND);
    expect(await catchFailure(traders.get(newId(), trader.id))).toMatchObject(NOT_FOUND);
  });
});

describe('ListTraders', () => {
  test("returns the channel's traders in the order of creation", async () => {
    const channel = newId();
    const { trader: first } = await traders.create(channel, { name: 'c' });
    for (const name of ['a', 'b']) await traders.create(channel, { name });
    await traders.create(newId());
    await traders.update(channel, first.id, { name: 'd' });
    expect((await traders.list(channel)).map(({ name }) => name)).toEqual(['d', 'a', 'b']);
    expect(await traders.list(newId())).toEqual([]);
  });

  test.each([500, 1_201])('returns %d, page by page', async (count) => {
    const channel = newId();
    await traders.service.sql(
      `insert into trader (id, sales_channel_id, business_id, name, address)
       select $1 || '-' || i, $1, i, 'n', '{}' from generate_series(1, ${count}) i`,
      [channel],
    );
    expect((await traders.list(channel)).map(({ businessId }) => businessId)).toEqual(
      Array.from({ length: count }, (_, index) => String(index + 1)),
    );
  });
});

test('the database refuses invalid traders', async () => {
  const refused = async (values: string): Promise<string | undefined> =>
    (
      await catchFailure(
        traders.service.sql(`insert into trader (id, sales_channel_id, business_id, name, address) values (${values})`),
      )
    ).code;
  expect(await refused(`'1', '', 'b', 'n', '{}'`)).toBe('23514');
  expect(await refused(`'1', 's', '', 'n', '{}'`)).toBe('23514');
  expect(await refused(`'1', 's', 'b', repeat('n', 201), '{}'`)).toBe('23514');
  expect(await refused(`'1', 's', 'b', null, '{}'`)).toBe('23502');
  expect(await refused(`'1', 's', 'b', 'n', '{"planet": "Earth"}'`)).toBe('23514');
  expect(await refused(`'1', 's', 'b', 'n', '{"city": null}'`)).toBe('23514');
  expect(await refused(`'1', 's', 'b', 'n', '{"city": 5}'`)).toBe('23514');
});
