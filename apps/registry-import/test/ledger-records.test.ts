import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asRegistry, catchFailure, catchFailures } from '@saleschannel/testing';
import { facilityOf, holderContent, issuanceIdOf, issuanceOf } from './support/records.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

const FACILITY = 'K7M2QX';

let registry: RegistryImport;
let accountHolderId: string;
let traderId: string;
beforeAll(async () => {
  registry = await startRegistryImport();
  accountHolderId = await registry.createHolder('NO-918273645');
  traderId = registry.traders.onboard(accountHolderId, 'channel');
  await registry.putFacility(facilityOf(FACILITY));
});
afterAll(() => registry.stop());

describe('PutFacility', () => {
  test('creates, then updates, and returns the stored facility', async () => {
    const facility = {
      ...facilityOf('AAAAA1'),
      gsrn: '707057500000000017',
      creditingPeriod: { start: '2024-01-01T00:00:00Z', end: '2033-12-31T00:00:00Z' },
    };
    const first = await registry.putFacility(facility);
    expect(first).toMatchObject({
      created: true,
      facility: { ...facility, supplierId: 'supplier of Lågendal Karbon AS' },
    });
    const updated = await registry.putFacility({ ...facility, name: 'Other' });
    expect(updated).toMatchObject({ created: false, facility: { name: 'Other', id: first.facility?.id } });
    expect((await registry.putFacility({ ...facility, name: 'Other' })).created).toBe(false);
  });

  test("passes on the ledger's refusal with code and pointers", async () => {
    const error = await catchFailure(registry.putFacility({ ...facilityOf('AAAAA2'), country: 'Norway' }));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/country', code: 'pattern' }] });
  });

  test('invalid-request: no facility', async () => {
    expect(await catchFailure(registry.putFacility(null))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#', code: 'required' }],
    });
  });
});

describe('CreateIssuance', () => {
  test('by account holder id, not listed, with a derived credit type id', async () => {
    const issuance = { ...issuanceOf(1, FACILITY), accountHolderId };
    const answer = await registry.createIssuance({ issuance });
    expect(answer).toEqual({
      created: true,
      issuance: {
        ...issuance,
        creditTypeId: 'NCR200_PLUS',
        productionStartDate: '2024-07-01T00:00:00.000Z',
        issuingDate: '2025-02-10T00:00:00.000Z',
      },
    });
    expect(await registry.createIssuance({ issuance })).toEqual({ ...answer, created: false });
  });

  test('with a credit type id, listed for the accepted trader', async () => {
    const terms = { accountHolderId, creditTypeId: 'MINE', salesChannelId: 'channel' };
    const issuance = { ...issuanceOf(2, FACILITY), ...terms };
    const answer = await registry.createIssuance({ issuance });
    const listed = { accountHolderId, salesChannelId: 'channel', traderId, creditTypeId: 'MINE' };
    expect(answer.issuance).toMatchObject(listed);
    expect(registry.ledger.issuances.get(issuance.issuanceId)).toMatchObject(listed);
  });

  test('returns an expiration date in UTC', async () => {
    const issuance = { ...issuanceOf(8, FACILITY), accountHolderId, expirationDate: '2035-01-01T01:00:00+01:00' };
    const answer = await registry.createIssuance({ issuance });
    expect(answer.issuance?.expirationDate).toBe('2035-01-01T00:00:00.000Z');
  });

  test('an issuance id ignores case', async () => {
    const issuance = { ...issuanceOf(9, FACILITY), accountHolderId };
    await registry.createIssuance({ issuance });
    const again = { ...issuance, issuanceId: issuance.issuanceId.toUpperCase() };
    expect(await registry.createIssuance({ issuance: again })).toMatchObject({
      created: false,
      issuance: { issuanceId: issuance.issuanceId },
    });
  });

  test('ignores a trader id in the request', async () => {
    const issuance = { ...issuanceOf(3, FACILITY), accountHolderId, traderId: 'somebody' };
    await registry.createIssuance({ issuance });
    expect(registry.ledger.issuances.get(issuance.issuanceId)?.traderId).toBeUndefined();
  });

  test.each([
    ['with another id', { accountHolderId: 'unknown' }],
    ['with an id that none can have', { accountHolderId: 'a\0b' }],
    ['without an id', {}],
  ])('request-refused: an account holder %s', async (_, holder) => {
    const issuance = { ...issuanceOf(4, FACILITY), ...holder };
    expect(await catchFailure(registry.createIssuance({ issuance }))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/accountHolderId', code: 'unknown-account-holder' }],
    });
  });

  test('request-refused: no accepted trader in the sales channel', async () => {
    const issuance = { ...issuanceOf(5, FACILITY), accountHolderId, salesChannelId: 'other channel' };
    expect(await catchFailure(registry.createIssuance({ issuance }))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/salesChannelId', code: 'not-onboarded' }],
    });
  });

  test('request-refused by the ledger: unknown facility, contradiction', async () => {
    const create = (code: string, fields: object = {}) =>
      registry.createIssuance({ issuance: { ...issuanceOf(6, code), accountHolderId, ...fields } });
    expect(await catchFailure(create('ZZZZZZ'))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/productionFacilityCode' }],
    });
    await create(FACILITY);
    expect(await catchFailure(create(FACILITY, { lastSerial: '501' }))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/issuanceId' }],
    });
  });

  test('invalid-request: no issuance', async () => {
    expect(await catchFailure(registry.createIssuance({}))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#', code: 'required' }],
    });
  });
});

describe('Onramp', () => {
  const selection = { start: `${issuanceIdOf(1)}_1`, end: `${issuanceIdOf(1)}_500` };
  const request = { salesChannelId: 'channel', assets: [selection], idempotencyKey: 'key' };

  test('passes the selection and the accepted trader to the ledger', async () => {
    const { transactionId, transaction } = await registry.onramp({ ...request, accountHolderId });
    expect(transactionId).toBe('x1');
    expect(JSON.parse(String(transaction?.data))).toMatchObject({ type: 'ONRAMP', buyerId: traderId });
    expect(registry.ledger.onramps).toEqual([{ ...request, accountHolderId, traderId }]);
  });

  test('invalid-request: no key', async () => {
    const error = await catchFailure(registry.onramp({ ...request, idempotencyKey: '', accountHolderId }));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ parameter: 'Idempotency-Key' }] });
  });

  test.each(['unknown', '', 'a\0b'])('not-found: the account holder %j', async (unknown) => {
    expect(await catchFailure(registry.onramp({ ...request, accountHolderId: unknown }))).toMatchObject({
      code: 'not-found',
    });
  });

  test('request-refused: no accepted trader in the sales channel', async () => {
    const other = { salesChannelId: 'other', idempotencyKey: 'another-key' };
    const error = await catchFailure(registry.onramp({ ...request, accountHolderId, ...other }));
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/salesChannelId' }] });
  });

  test.each([
    [0, 'minItems'],
    [1_001, 'maxItems'],
  ])('invalid-request: %d selections', async (length, code) => {
    const assets = Array.from({ length }, () => selection);
    const error = await catchFailure(registry.onramp({ ...request, accountHolderId, assets }));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/assets', code }] });
  });
});

describe('SubmitProposal', () => {
  test('sends the account holder to traders, with one street line', async () => {
    const content = {
      ...holderContent('PROPOSAL-1'),
      address: { postalCode: '', city: 'Oslo', country: 'Norway', street1: 'Gate 1', street2: 'Bygg B' },
    };
    const { accountHolder } = await registry.create(content);
    const key = { accountHolderId: accountHolder.accountHolderId, salesChannelId: 'channel' };
    const proposal = await registry.submit(key);
    expect(proposal).toMatchObject({ ...key, name: content.name, businessId: 'PROPOSAL-1', status: 'PENDING' });
    expect(proposal.onboardedTraderId).toBeUndefined();
    const { address } = registry.traders.submitted.at(-1) ?? {};
    expect(address).toMatchObject({ city: 'Oslo', countryName: 'Norway', street: 'Gate 1, Bygg B' });
    expect(address?.zipCode).toBeUndefined();
  });

  test('request-refused: an unknown account holder', async () => {
    const error = await catchFailure(registry.submit({ accountHolderId: 'unknown', salesChannelId: 'channel' }));
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/accountHolderId' }] });
  });

  test('invalid-request: no sales channel', async () => {
    const error = await catchFailure(registry.submit({ accountHolderId }));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/salesChannelId' }] });
  });
});

test('forbidden: another calling service', async () => {
  const other = await registry.clientOf('inventory');
  const options = await asRegistry();
  const calls = [
    other.PutFacility({}, options),
    other.CreateIssuance({}, options),
    other.Onramp({}, options),
    other.SubmitProposal({}, options),
    other.ListAccountHolders({}, options),
    other.GetAccountHolder({}, options),
    other.UpdateAccountHolder({}, options),
    other.ListImports({}, options),
    other.GetImport({}, options),
    other.ListImportErrors({}, options),
  ];
  for (const failure of await catchFailures(calls)) expect(failure).toMatchObject({ code: 'forbidden' });
  other.close();
});
