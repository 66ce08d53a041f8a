import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asRegistry, failureOf } from '@saleschannel/testing';
import {
  createHolder,
  facilityFields,
  holderFields,
  issuanceFields,
  registryImportAs,
  startWorld,
  type World,
} from './fixture.ts';

let world: World;
let accountHolderId: string;
let traderId: string;
beforeAll(async () => {
  world = await startWorld();
  accountHolderId = await createHolder(world.client, 'NO-918273645');
  traderId = world.traders.onboard(accountHolderId, 'channel');
  await world.client.PutFacility(facilityFields('K7M2QX'), await asRegistry());
});
afterAll(() => world.stop());

describe('PutFacility', () => {
  test('creates, then updates; the answer shows what the ledger stored', async () => {
    const fields = {
      ...facilityFields('AAAAA1'),
      gsrn: '707057500000000017',
      creditingPeriod: { start: '2024-01-01T00:00:00Z', end: '2033-12-31T00:00:00Z' },
    };
    const created = await world.client.PutFacility(fields, await asRegistry());
    expect(created).toMatchObject({
      created: true,
      facility: { ...fields, supplierId: 'supplier of Lågendal Karbon AS' },
    });
    const updated = await world.client.PutFacility({ ...fields, name: 'Other' }, await asRegistry());
    expect(updated).toMatchObject({ created: false, facility: { name: 'Other', id: created.facility?.id } });
    expect((await world.client.PutFacility({ ...fields, name: 'Other' }, await asRegistry())).created).toBe(false);
  });

  test("the ledger's refusal with its code and pointers", async () => {
    const error = await failureOf(
      world.client.PutFacility({ ...facilityFields('AAAAA2'), country: 'Norway' }, await asRegistry()),
    );
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/country', code: 'pattern' }] });
  });
});

describe('CreateIssuance', () => {
  test('by account holder id, not listed; the credit type id is made from the credit type', async () => {
    const issuance = { ...issuanceFields(1, 'K7M2QX'), accountHolderId };
    const answer = await world.client.CreateIssuance({ issuance }, await asRegistry());
    expect(answer.created).toBe(true);
    expect(answer.issuance).toMatchObject({
      ...issuance,
      creditTypeId: 'NCR200_PLUS',
      productionStartDate: '2024-07-01T00:00:00.000Z',
      issuingDate: '2025-02-10T00:00:00.000Z',
    });
    expect(answer.issuance?.salesChannelId).toBeUndefined();
    const again = await world.client.CreateIssuance({ issuance }, await asRegistry());
    expect(again).toEqual({ ...answer, created: false });
  });

  test('by business id, listed for the accepted trader', async () => {
    const issuance = { ...issuanceFields(2, 'K7M2QX'), creditTypeId: 'MINE', salesChannelId: 'channel' };
    const answer = await world.client.CreateIssuance(
      { issuance, accountHolderBusinessId: 'NO-918273645' },
      await asRegistry(),
    );
    expect(answer.issuance).toMatchObject({
      accountHolderId,
      salesChannelId: 'channel',
      traderId,
      creditTypeId: 'MINE',
    });
    expect(world.ledger.issuances.get(issuance.issuanceId)).toMatchObject({
      accountHolderId,
      salesChannelId: 'channel',
      traderId,
    });
  });

  test('a trader id in the request is not believed', async () => {
    const issuance = { ...issuanceFields(3, 'K7M2QX'), accountHolderId, traderId: 'somebody' };
    await world.client.CreateIssuance({ issuance }, await asRegistry());
    expect(world.ledger.issuances.get(issuance.issuanceId)?.traderId).toBeUndefined();
  });

  test.each([
    ['by id', { issuance: { ...issuanceFields(4, 'K7M2QX'), accountHolderId: 'unknown' } }],
    ['by business id', { issuance: issuanceFields(4, 'K7M2QX'), accountHolderBusinessId: 'unknown' }],
  ])('request-refused: an unknown account holder %s', async (_, request) => {
    const error = await failureOf(world.client.CreateIssuance(request, await asRegistry()));
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/accountHolderId' }] });
  });

  test('request-refused: no accepted trader in the sales channel', async () => {
    const issuance = { ...issuanceFields(5, 'K7M2QX'), accountHolderId, salesChannelId: 'other channel' };
    const error = await failureOf(world.client.CreateIssuance({ issuance }, await asRegistry()));
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/salesChannelId' }] });
  });

  test('request-refused by the ledger: unknown facility, contradiction', async () => {
    const unknown = await failureOf(
      world.client.CreateIssuance(
        { issuance: { ...issuanceFields(6, 'ZZZZZZ'), accountHolderId } },
        await asRegistry(),
      ),
    );
    expect(unknown).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/productionFacilityCode' }] });
    await world.client.CreateIssuance(
      { issuance: { ...issuanceFields(6, 'K7M2QX'), accountHolderId } },
      await asRegistry(),
    );
    const other = { ...issuanceFields(6, 'K7M2QX'), accountHolderId, lastSerial: '501' };
    const contradiction = await failureOf(world.client.CreateIssuance({ issuance: other }, await asRegistry()));
    expect(contradiction).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/issuanceId' }] });
  });

  test.each([
    ['no issuance', {}, '#'],
    ['no account holder', { issuance: issuanceFields(7, 'K7M2QX') }, '#/accountHolderId'],
    [
      'both',
      { issuance: { ...issuanceFields(7, 'K7M2QX'), accountHolderId: 'x' }, accountHolderBusinessId: 'y' },
      '#/accountHolderId',
    ],
  ])('invalid-request: %s', async (_, request, pointer) => {
    expect(await failureOf(world.client.CreateIssuance(request, await asRegistry()))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer }],
    });
  });
});

describe('Onramp', () => {
  const assets = [{ start: `${issuanceFields(1, '').issuanceId}_1`, end: `${issuanceFields(1, '').issuanceId}_500` }];

  test('hands the selection and the accepted trader to the ledger', async () => {
    const { data } = await world.client.Onramp(
      { accountHolderId, salesChannelId: 'channel', assets },
      await asRegistry(),
    );
    expect(JSON.parse(data.toString())).toEqual({ type: 'ONRAMP', buyerId: traderId });
    expect(world.ledger.onramps).toEqual([{ accountHolderId, salesChannelId: 'channel', traderId, assets }]);
  });

  test('not-found: an unknown account holder', async () => {
    const call = world.client.Onramp(
      { accountHolderId: 'unknown', salesChannelId: 'channel', assets },
      await asRegistry(),
    );
    expect(await failureOf(call)).toMatchObject({ code: 'not-found' });
  });

  test('request-refused: no accepted trader in the sales channel', async () => {
    const error = await failureOf(
      world.client.Onramp({ accountHolderId, salesChannelId: 'other', assets }, await asRegistry()),
    );
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/salesChannelId' }] });
  });

  test.each([0, 1_001])('invalid-request: %d selections', async (length) => {
    const many = Array.from({ length }, () => assets[0] as { start: string; end: string });
    const error = await failureOf(
      world.client.Onramp({ accountHolderId, salesChannelId: 'channel', assets: many }, await asRegistry()),
    );
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/assets' }] });
  });
});

describe('SubmitProposal', () => {
  test('carries the account holder to the traders, with one line for the street', async () => {
    const fields = {
      ...holderFields('PROPOSAL-1'),
      address: { postalCode: '', city: 'Oslo', country: 'Norway', street1: 'Gate 1', street2: 'Bygg B' },
    };
    const { accountHolder } = await world.client.CreateAccountHolder(fields, await asRegistry());
    const key = { accountHolderId: accountHolder?.accountHolderId ?? '', salesChannelId: 'channel' };
    const proposal = await world.client.SubmitProposal(key, await asRegistry());
    expect(proposal).toMatchObject({ ...key, name: fields.name, businessId: 'PROPOSAL-1', status: 'PENDING' });
    expect(proposal.onboardedTraderId).toBeUndefined();
    expect(world.traders.submitted.at(-1)?.address).toMatchObject({
      city: 'Oslo',
      countryName: 'Norway',
      street: 'Gate 1, Bygg B',
    });
    expect(world.traders.submitted.at(-1)?.address?.zipCode).toBeUndefined();
  });

  test('request-refused: an unknown account holder', async () => {
    const error = await failureOf(
      world.client.SubmitProposal({ accountHolderId: 'unknown', salesChannelId: 'channel' }, await asRegistry()),
    );
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/accountHolderId' }] });
  });

  test('invalid-request: no sales channel', async () => {
    const error = await failureOf(world.client.SubmitProposal({ accountHolderId }, await asRegistry()));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/salesChannelId' }] });
  });
});

test('forbidden: another calling service', async () => {
  const other = await registryImportAs('inventory', world.service.address);
  const options = await asRegistry();
  const calls = [
    other.PutFacility(facilityFields('BBBBBB'), options),
    other.CreateIssuance({}, options),
    other.Onramp({}, options),
    other.SubmitProposal({}, options),
    other.ListAccountHolders({ limit: 1 }, options),
    other.GetAccountHolder({}, options),
    other.UpdateAccountHolder({}, options),
    other.ListImports({ limit: 1 }, options),
    other.GetImport({}, options),
    other.ListImportErrors({ limit: 1 }, options),
  ];
  for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'forbidden' });
  other.close();
});
