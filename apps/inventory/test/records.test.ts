import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ReplyOf } from '@saleschannel/grpc';
import { asRegistry, removeMarkers, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance, type Facility, type Issuance } from './support/issuances.ts';

/** Records of the registry: production facilities and issuances. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

type Result = ReplyOf<'ledger.ApplyIssuances'>['results'][number];

/** Faults of a refused record, as `pointer code`. */
const toFaults = ({ problem }: Result): (string | undefined)[] =>
  problem?.violations.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];

describe('ApplyFacilities', () => {
  const facility: Facility = {
    code: 'ABC123',
    name: 'Plant',
    country: 'FI',
    methodologyCodes: ['m1', 'm2'],
    supplier: 'Supplier One',
  };
  const outcomes = async (...facilities: Facility[]): Promise<string[]> =>
    (await inventory.applyFacilities(...facilities)).map(({ outcome }) => outcome);
  const read = async (code: string) =>
    removeMarkers(await inventory.registryGateway.GetFacility({ code }, await asRegistry()));

  test('creates or updates by code. A missing crediting period is cleared, a missing GSRN is kept', async () => {
    const full = {
      ...facility,
      gsrn: '643002406801000001',
      creditingPeriod: { start: '2024-01-01T02:00:00+02:00', end: '2033-12-31T00:00:00Z' },
    };
    expect(await outcomes(full)).toEqual(['OUTCOME_CREATED']);
    expect(await outcomes(full)).toEqual(['OUTCOME_UNCHANGED']);
    const first = await read('ABC123');
    expect(first).toMatchObject({
      ...full,
      creditingPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2033-12-31T00:00:00.000Z' },
    });
    expect(await outcomes({ ...facility, name: 'Plant II', supplier: 'Supplier Two' })).toEqual(['OUTCOME_UPDATED']);
    const second = await read('ABC123');
    expect(second).toMatchObject({ id: first.id, name: 'Plant II', supplier: 'Supplier Two' });
    expect(second.gsrn).toBe('643002406801000001');
    expect(second.creditingPeriod).toBeNull();
    expect(second.supplierId).not.toBe(first.supplierId);
  });

  test.each<[string, Facility, string[]]>([
    ['a code of five', { code: 'ABC12' }, ['#/code pattern']],
    ['a code with a hyphen', { code: 'ABC-12' }, ['#/code pattern']],
    ['an empty name', { name: '' }, ['#/name minLength']],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['#/name maxLength']],
    ['a name with NUL', { name: 'x\0' }, ['#/name nul-character']],
    ['a name with an escape', { name: 'x\u001b[31m' }, ['#/name pattern']],
    ['a supplier with a line end', { supplier: 'x\r\nSet-Cookie: a=b' }, ['#/supplier pattern']],
    ['a name that changes the writing direction', { name: 'x\u202ey' }, ['#/name pattern']],
    ['a country in lower case', { country: 'fi' }, ['#/country pattern']],
    ['no supplier', { supplier: '' }, ['#/supplier minLength']],
    ['an empty methodology', { methodologyCodes: ['m', ''] }, ['#/methodologyCodes/1 minLength']],
    ['a methodology of 65 characters', { methodologyCodes: ['m'.repeat(65)] }, ['#/methodologyCodes/0 maxLength']],
    ['a GSRN of 65 characters', { gsrn: '6'.repeat(65) }, ['#/gsrn maxLength']],
    [
      'a period without dates',
      { creditingPeriod: { start: 'x', end: '2024-02-30T00:00:00Z' } },
      ['#/creditingPeriod/start format', '#/creditingPeriod/end format'],
    ],
    [
      'a period that ends before it starts',
      { creditingPeriod: { start: '2025-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } },
      ['#/creditingPeriod/end period-order'],
    ],
    [
      'every fault of a record',
      { code: '', name: '', country: '' },
      ['#/code pattern', '#/name minLength', '#/country pattern'],
    ],
  ])('refuses %s, and applies the others', async (_name, fields, faults) => {
    const [refused, applied] = await inventory.applyFacilities(
      { ...facility, ...fields },
      { ...facility, code: 'GOOD01' },
    );
    expect(refused).toMatchObject({ outcome: 'OUTCOME_REFUSED', problem: { code: 'invalid-request' } });
    expect(refused && toFaults(refused)).toEqual(faults);
    expect(applied?.outcome).not.toBe('OUTCOME_REFUSED');
    expect(applied?.problem).toBeNull();
  });

  test('concurrent calls create one facility and one supplier', async () => {
    const raced = { ...facility, code: 'RACE01', supplier: 'Raced' };
    const all = await Promise.all(Array.from({ length: 10 }, () => outcomes(raced)));
    expect(all.flat().toSorted()).toEqual(['OUTCOME_CREATED', ...Array<string>(9).fill('OUTCOME_UNCHANGED')]);
    expect(await inventory.service.sql("select count(*)::int as count from supplier where name = 'Raced'")).toEqual([
      { count: 1 },
    ]);
  });

  test('facilities are read in pages and by code. An unknown code is not-found', async () => {
    const { total, facilities } = await inventory.registryGateway.ListFacilities(
      { page: { limit: 2, offset: 1 } },
      await asRegistry(),
    );
    expect(Number(total)).toBeGreaterThan(2);
    expect(facilities).toHaveLength(2);
    for (const code of ['NONE00', '', 'a\0b'])
      expect(await catchFailure(read(code))).toMatchObject({ code: 'not-found' });
  });
});

describe('ApplyIssuances', () => {
  test.each([
    ['0', '12', '0', '12'],
    ['0', '9', '0', '9'],
    ['000', '009', '000', '009'],
  ])('takes serials from %s to %s', async (firstSerial, lastSerial, start, end) => {
    const issuance = createIssuance('zero', { firstSerial, lastSerial, salesChannelId: 'zero', traderId: 'zero-a' });
    expect(await inventory.applyIssuances(issuance)).toMatchObject([{ outcome: 'OUTCOME_CREATED' }]);
    expect(await inventory.listRanges('zero-a', issuance.issuanceId)).toEqual([`${start}-${end}`]);
  });

  const outcomes = async (...issuances: Issuance[]): Promise<string[]> =>
    (await inventory.applyIssuances(...issuances)).map(({ outcome }) => outcome);

  test('is idempotent by id, in any case of the id and with any offset of dates', async () => {
    const issuance = createIssuance('holder');
    expect(await outcomes(issuance)).toEqual(['OUTCOME_CREATED']);
    const same = {
      ...issuance,
      issuanceId: issuance.issuanceId.toUpperCase(),
      issuingDate: '2025-02-01T01:00:00+01:00',
    };
    expect(await outcomes(issuance, same)).toEqual(['OUTCOME_UNCHANGED', 'OUTCOME_UNCHANGED']);
    expect(
      await inventory.service.sql('select count(*)::int as count from bundle where issuance_id = $1', [
        issuance.issuanceId,
      ]),
    ).toEqual([{ count: 3 }]);
  });

  test('refuses an issuance that differs from the stored one in any field', async () => {
    const { seller, channel, trader } = inventory.scene();
    const issuance = createIssuance('holder', { salesChannelId: channel, traderId: seller });
    await outcomes(issuance);
    const { salesChannelId: _channel, traderId: _trader, ...unlisted } = issuance;
    const others: Issuance[] = [
      { ...issuance, lastSerial: '11' },
      { ...issuance, firstSerial: '01' },
      { ...issuance, vintage: 2023 },
      { ...issuance, accountHolderId: 'x' },
      { ...issuance, creditType: 'x' },
      { ...issuance, traderId: trader('other') },
      { ...issuance, expirationDate: '2030-01-01T00:00:00Z' },
      unlisted,
    ];
    for (const result of await inventory.applyIssuances(...others)) {
      expect(result).toMatchObject({ outcome: 'OUTCOME_REFUSED', problem: { code: 'request-refused' } });
      expect(toFaults(result)).toEqual(['#/issuanceId contradiction']);
    }
    expect(await inventory.listRanges(seller)).toEqual(['1-10']);
  });

  test('uses the first of equal ids in a batch', async () => {
    const issuance = createIssuance('holder');
    expect(await outcomes(issuance, issuance, { ...issuance, lastSerial: '11' })).toEqual([
      'OUTCOME_CREATED',
      'OUTCOME_UNCHANGED',
      'OUTCOME_REFUSED',
    ]);
  });

  test.each<[string, Issuance, string]>([
    ['an id that is no UUID', { issuanceId: 'one' }, '#/issuanceId format'],
    ['an unknown facility', { productionFacilityCode: 'NONE00' }, '#/productionFacilityCode unknown-reference'],
    ['a facility code with NUL', { productionFacilityCode: 'A\0' }, '#/productionFacilityCode unknown-reference'],
    ['a standard with an underscore', { standard: 'PU_RO' }, '#/standard pattern'],
    ['a registry with a space', { registry: 'P R' }, '#/registry pattern'],
    ['a registry with NUL', { registry: 'P\0' }, '#/registry nul-character'],
    ['no credit type', { creditType: '' }, '#/creditType minLength'],
    ['no account holder', { accountHolderId: '' }, '#/accountHolderId minLength'],
    ['a vintage of three digits', { vintage: 999 }, '#/vintage minimum'],
    ['a vintage of five digits', { vintage: 20_240 }, '#/vintage maximum'],
    ['an account holder of 129 characters', { accountHolderId: 'x'.repeat(129) }, '#/accountHolderId maxLength'],
    ['a channel without a name', { salesChannelId: '', traderId: 'reg-a' }, '#/salesChannelId minLength'],
    ['more certificates than a JSON number can express', { lastSerial: '9007199254740992' }, '#/lastSerial volume'],
    [
      'production that ends before it starts',
      { productionEndDate: '2023-01-01T00:00:00Z' },
      '#/productionEndDate period-order',
    ],
    ['30 February', { issuingDate: '2024-02-30T00:00:00Z' }, '#/issuingDate format'],
    ['a date without a time', { issuingDate: '2024-02-03' }, '#/issuingDate format'],
    ['a time without an offset', { issuingDate: '2024-02-03T00:00:00' }, '#/issuingDate format'],
    [
      'a date that only JavaScript can parse',
      { expirationDate: '2024-02-03T00:00:00 GMT+2 (x)' },
      '#/expirationDate format',
    ],
    ['a channel without a trader', { salesChannelId: 'reg' }, '#/salesChannelId trader'],
    ['a trader without a channel', { traderId: 'reg-a' }, '#/salesChannelId trader'],
    ['serials of letters', { firstSerial: 'a' }, '#/firstSerial serial-not-digits'],
    ['a serial of 39 digits', { lastSerial: '1'.repeat(39) }, '#/firstSerial serial-too-long'],
    ['a last serial before the first', { firstSerial: '11' }, '#/firstSerial serial-order'],
    ['leading zeros and different widths', { firstSerial: '001' }, '#/firstSerial serial-width'],
    ['no serials', { firstSerial: '', lastSerial: '' }, '#/firstSerial serial-not-digits'],
  ])('refuses %s, and applies the others of the batch', async (_name, fields, violation) => {
    const [refused, applied] = await inventory.applyIssuances(
      createIssuance('holder', fields),
      createIssuance('holder'),
    );
    expect(refused?.outcome).toBe('OUTCOME_REFUSED');
    expect(refused && toFaults(refused)).toEqual([violation]);
    expect(applied).toEqual({ outcome: 'OUTCOME_CREATED', problem: null });
  });

  test('reports every fault of an issuance', async () => {
    const [members, whole] = await inventory.applyIssuances(
      createIssuance('holder', { issuanceId: 'one', standard: '', issuingDate: '' }),
      createIssuance('holder', { salesChannelId: 'reg', productionEndDate: '2023-01-01T00:00:00Z', firstSerial: 'a' }),
    );
    expect(members && toFaults(members)).toEqual([
      '#/issuanceId format',
      '#/standard minLength',
      '#/issuingDate format',
    ]);
    expect(whole && toFaults(whole)).toEqual([
      '#/salesChannelId trader',
      '#/productionEndDate period-order',
      '#/firstSerial serial-not-digits',
    ]);
  });

  test('keeps the width of old serials', async () => {
    const { seller: traderId, channel: salesChannelId } = inventory.scene();
    const issuance = createIssuance('holder', {
      firstSerial: '000000000001',
      lastSerial: '000000000250',
      salesChannelId,
      traderId,
    });
    expect(await outcomes(issuance)).toEqual(['OUTCOME_CREATED']);
    expect(await inventory.listRanges(traderId)).toEqual(['000000000001-000000000250']);
  });

  test('is only for the import service', async () => {
    const { registryGateway } = inventory;
    expect(await catchFailure(registryGateway.ApplyIssuances({ issuances: [] }, await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
    expect(await catchFailure(registryGateway.ApplyFacilities({ facilities: [] }, await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
  });
});
