import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contract } from './contracts/registry-import.ts';
import { facility, issuance } from './contracts/registry-import/records.ts';
import { startWithProviders, withoutTrail, type ContractedSystem } from './support/providers.ts';

/** The gateway against a registry-import that returns the minimum of its contract. */

let system: ContractedSystem;
beforeAll(async () => {
  system = await startWithProviders(withoutTrail(contract));
});
afterAll(() => system.stop());

const one = { path: { accountHolderId: 'h1' } };
const headers = { 'Idempotency-Key': 'key-1' };
const assets = [{ start: 'i1_1', end: 'i1_5' }];
const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };

test('account holders are read, created and changed', async () => {
  const expected = {
    accountHolderId: 'h1',
    address: { ...address, street2: null },
    autoApproval: true,
    status: 'ACTIVE',
  };
  for (const query of ['businessId=NO-2', 'businessId=NO-2&nameContains=Havkalk'])
    expect(await system.read('listAccountHolders', { query })).toMatchObject({ data: [expected] });
  expect(await system.read('getAccountHolder', one)).toMatchObject(expected);
  expect(await system.statusOf('getAccountHolder', { path: { accountHolderId: 'h9' } })).toBe(404);
  const created = await system.call('createAccountHolder', { body: { name: 'Havkalk', businessId: 'NO-3', address } });
  expect([created.status, created.headers.location]).toEqual([201, '/Registry/api/account-holders/h3']);
  const body = { autoApproval: false };
  expect(await system.read('updateAccountHolder', { ...one, body })).toMatchObject(body);
});

test('users of an account holder read and change it', async () => {
  expect(await system.read('getOwnHolder')).toMatchObject({ accountHolderId: 'h1', kind: 'HOLDER' });
  const body = { autoApproval: false };
  expect(await system.read('updateOwnHolder', { body })).toMatchObject(body);
});

test('certificates are onramped', async () => {
  const body = { salesChannelId: 'c1', assets };
  const byRegistry = await system.call('onramp', { ...one, headers, body });
  expect([byRegistry.status, byRegistry.headers.location]).toEqual([201, '/Registry/api/transactions/x1']);
  const byHolder = await system.call('onrampHoldings', { headers, body });
  expect([byHolder.status, byHolder.headers.location]).toEqual([201, '/account-portal/transactions/x1']);
});

test('proposals are submitted and read', async () => {
  const created = { id: 'p1', accountHolderId: 'h1', salesChannelId: 'c1', status: 'PENDING', onboardedTraderId: null };
  const body = { accountHolderId: 'h1', salesChannelId: 'c1' };
  expect(await system.read('submitProposal', { body })).toMatchObject(created);
  expect(await system.read('submitHolderProposal', { body: { salesChannelId: 'c1' } })).toMatchObject(created);
  expect(await system.read('listSubmittedProposals', { query: 'accountHolderId=h1' })).toMatchObject({
    data: [created],
  });
  const path = { traderOnboardingProposalId: 'p1' };
  expect(await system.read('getSubmittedProposal', { path })).toMatchObject(created);
});

test('facilities and issuances are recorded', async () => {
  const put = await system.call('putFacility', { path: { code: 'K7M2QX' }, body: facility });
  expect([put.status, JSON.parse(put.text)]).toMatchObject([201, { productionFacilityId: 'f1', ...facility }]);
  const issued = {
    issuanceId: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
    productionFacilityCode: 'K7M2QX',
    ...issuance,
    accountHolderId: 'h1',
  };
  const created = await system.call('createIssuance', { body: issued });
  expect([created.status, JSON.parse(created.text)]).toMatchObject([201, { ...issued, volume: 500 }]);
});

test('files are imported, with their results', async () => {
  const body = '{"type":"nothing"}\n';
  const started = await system.call('startImport', { headers: { 'Content-Type': 'application/x-ndjson' }, body });
  expect([started.status, started.headers.location]).toEqual([202, '/Registry/api/imports/m1']);
  const ended = { importId: 'm2', linesRead: 1, linesApplied: 0, linesFailed: 1 };
  expect(await system.read('listImports')).toMatchObject({ data: [ended] });
  expect(await system.read('getImport', { path: { importId: 'm2' } })).toMatchObject(ended);
  expect(await system.read('listImportErrors', { path: { importId: 'm2' } })).toMatchObject({ data: [{ line: 1 }] });
});
