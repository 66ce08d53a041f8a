import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { entity, startTraders, type Traders } from './support/traders.ts';

/** Names and texts are trimmed, normalized to NFC, and visible. */

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

const COMPOSED = 'Ångström AS';
const DECOMPOSED = COMPOSED.normalize('NFD');
const BLANKS = [' ', '\ufeff', '\u200b'];
const fields = (text: string) =>
  [
    [{ name: text }, '#/name'],
    [{ businessId: text }, '#/businessId'],
    [{ address: { city: text } }, '#/address/city'],
    [{ address: { street: text } }, '#/address/street'],
  ] as const;

describe.each(BLANKS)('a text of %j', (text) => {
  test.each(fields(text))('is refused in a new trader and in a patch: %j', async (given, pointer) => {
    const channel = newId();
    const { trader } = await traders.create(channel);
    const refused = { code: 'invalid-request', violations: [{ pointer, code: 'blank' }] };
    expect(await catchFailure(traders.create(channel, given))).toMatchObject(refused);
    expect(await catchFailure(traders.update(channel, trader.id, given))).toMatchObject(refused);
    expect(await traders.list(channel)).toEqual([trader]);
  });

  test('is refused in a proposal', async () => {
    expect(await catchFailure(traders.proposal(newId(), { name: text }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#/name', code: 'blank' }],
    });
  });
});

test('texts are trimmed and composed, and keep joiners inside', async () => {
  const channel = newId();
  const { trader } = await traders.create(channel, {
    name: ` ${DECOMPOSED}\u200b`,
    businessId: 'NO\u00ad-1 ',
    address: { city: 'A\u030alesund ', street: 'می\u200cخواهم' },
  });
  const shown = { name: COMPOSED, businessId: 'NO-1', address: { city: 'Ålesund', street: 'می\u200cخواهم' } };
  expect(trader).toEqual({ id: trader.id, ...shown });
  const changed = await traders.update(channel, trader.id, {
    name: `\ufeff${DECOMPOSED} 2`,
    address: { poBox: ' 1 ' },
  });
  expect(changed).toEqual({
    id: trader.id,
    ...shown,
    name: `${COMPOSED} 2`,
    address: { ...shown.address, poBox: '1' },
  });
});

test('a request in another Unicode form is a retry', async () => {
  const channel = newId();
  const idempotencyKey = newId();
  const { trader } = await traders.create(channel, { idempotencyKey, name: COMPOSED });
  expect(await traders.create(channel, { idempotencyKey, name: ` ${DECOMPOSED}` })).toEqual({ trader, replayed: true });
  expect(await catchFailure(traders.create(channel, { idempotencyKey, name: 'Angstrom AS' }))).toMatchObject({
    code: 'idempotency-key-reused',
  });
});

test('traders are found by name and business id in any form, including those of older releases', async () => {
  const channel = newId();
  const { trader } = await traders.create(channel, { name: COMPOSED, businessId: COMPOSED });
  await traders.service.sql(
    'insert into trader (id, sales_channel_id, business_id, name, address) values ($1, $2, $3, $4, $5)',
    [newId(), channel, `${DECOMPOSED} `, 'Older', '{}'],
  );
  const idsBy = async (filter: Parameters<Traders['list']>[1]) =>
    (await traders.list(channel, filter)).map(({ name }) => name);
  for (const text of [COMPOSED, DECOMPOSED, `${COMPOSED}\u200b`])
    expect(await idsBy({ businessId: text })).toEqual([trader.name]);
  expect(await idsBy({ businessId: `${DECOMPOSED} ` })).toEqual([trader.name, 'Older']);
  expect(await idsBy({ namePrefix: DECOMPOSED.slice(0, 4) })).toEqual([trader.name]);
});

test("the audit trail's digest of a trader is the same for all forms of its name", async () => {
  const digests = async (name: string) => {
    const channel = newId();
    const { trader } = await traders.create(channel, { ...entity, name });
    const rows = await traders.service.sql<{ event: string }>('select event from audit_event where scope = $1', [
      channel,
    ]);
    const { digest } = (JSON.parse(rows[0]?.event ?? '') as { after: { digest: string } }).after;
    return [digest, trader.id, trader.name] as const;
  };
  const { computeIdentityDigest } = await import('../src/domain/trader.ts');
  for (const name of [COMPOSED, DECOMPOSED]) {
    const [digest, id, stored] = await digests(name);
    expect(stored).toBe(COMPOSED);
    expect(digest).toBe(computeIdentityDigest(id, { businessId: entity.businessId, name: COMPOSED }));
  }
});
