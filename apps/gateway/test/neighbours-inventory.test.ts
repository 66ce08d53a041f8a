import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contract } from './contracts/inventory.ts';
import { startWithProviders, withoutTrail, type ContractedSystem, type CallOptions } from './support/system.ts';

/** The gateway against a ledger that returns the minimum of its contract. */

let system: ContractedSystem;
beforeAll(async () => {
  system = await startWithProviders(withoutTrail(contract));
});
afterAll(() => system.stop());

const csv = { Accept: 'text/csv' };
const [trader, traded] = [{ path: { traderId: 't1' } }, { path: { transactionId: 'x1' } }];
const waiting: CallOptions = { path: { transactionId: 'x2' } };

test('an inventory is listed, as CSV too, and unchanged', async () => {
  const all = await system.call('listInventory', trader);
  expect(JSON.parse(all.text)).toMatchObject([{ start: 'i1_1', end: 'i1_10', volume: 10 }]);
  const headers = { 'If-None-Match': String(all.headers.etag) };
  expect((await system.call('listInventory', { ...trader, headers })).status).toBe(304);
  const saved = await system.call('listInventory', { ...trader, query: '$filter[vintage][eq]=2024', headers: csv });
  expect([saved.headers['content-type'], saved.text]).toEqual([expect.stringContaining('csv'), 'volume\r\n10\r\n']);
  const page = await system.call('listInventory', { ...trader, query: '$limit=1' });
  expect([JSON.parse(page.text), page.headers.link]).toMatchObject([[{ start: 'i1_1' }], undefined]);
  expect(page.headers.etag).toBe(all.headers.etag);
  expect(await system.read('summarizeInventory', trader)).toMatchObject({ bundles: 1, volume: 10 });
});

test('transfers are planned', async () => {
  const assets = [{ start: 'i1_1', end: 'i1_10' }];
  expect(await system.read('planTransfer', { ...trader, body: { type: 'TRADE', assets } })).toMatchObject({
    type: 'TRADE',
    volume: 10,
  });
  expect(
    await system.read('planTransfer', { ...trader, body: { type: 'RETIREMENT', volume: 4, order: 'OLDEST' } }),
  ).toMatchObject({
    type: 'RETIREMENT',
    volume: 4,
  });
});

test('a channel reads its transactions', async () => {
  const query = '$filter[type][eq]=TRADE';
  const seen = { id: 'x1', sellerId: 't1', buyerId: 't2', status: 'SUCCESS' };
  expect(await system.read('listTransactions', { query: `${query}&$orderBy[createdAt]=desc` })).toMatchObject([seen]);
  expect(await system.read('listTransactions', { query: `${query}&$limit=1` })).toMatchObject([{ id: 'x1' }]);
  const expand = '$expand=names,reference,metadata,retirement,totals';
  expect(await system.read('listTransactions', { query: expand })).toMatchObject([{ id: 'x1', retirement: null }]);
  const grouped = `groupBy=month&timeZone=UTC&${query}`;
  expect(await system.read('summarizeTransactions', { query: grouped })).toMatchObject([{ transactions: 1 }]);
  expect(await system.read('getTransaction', traded)).toMatchObject(seen);
  expect(await system.statusOf('getTransaction', { path: { transactionId: 'x9' } })).toBe(404);
  expect(await system.read('getTransactionDetail', traded)).toMatchObject({ id: 'x1' });
});

test('a statement is published by its channel, and public', async () => {
  const body = { publication: 'PUBLIC', beneficiaryHiddenUntil: null };
  expect(await system.read('updateStatement', { ...waiting, body })).toEqual({ id: 's1', ...body });
  expect(await system.read('getStatement', { path: { statementId: 's1' } })).toMatchObject({ id: 's1' });
  expect(await system.statusOf('getStatement', { path: { statementId: 's9' } })).toBe(404);
  const at = '2025-03-05T13:41:20.508Z';
  const query = `$filter[retiredAt][gte]=${at}&$filter[retiredAt][lte]=${at}`;
  for (const more of ['', '&$filter[beneficiaryName][contains]=Ada'])
    expect(await system.read('listStatements', { query: query + more })).toMatchObject([{ id: 's1' }]);
  const saved = await system.call('listStatements', { query: '$limit=1', headers: csv });
  expect(saved.text).toBe('id\r\ns1\r\n');
  expect(await system.read('getCertificateStatus', { path: { certificate: 'i1_1' } })).toMatchObject({
    status: 'RETIRED',
    statementId: 's1',
  });
  expect(await system.read('getStatementKeys')).toMatchObject({ keys: [{ kty: 'OKP' }] });
});

test('channels read facilities and suppliers', async () => {
  const facility = { id: 'f1', gsrn: null, code: 'FAC001', name: 'Northern Biochar', countryCode: 'NA' };
  expect(await system.read('listProductionFacilities')).toMatchObject([facility]);
  expect(await system.read('listProductionFacilities', { query: '$limit=100' })).toMatchObject([facility]);
  const path = { productionFacilityId: 'f1', supplierId: 's1' };
  expect(await system.read('getProductionFacility', { path })).toMatchObject(facility);
  expect(await system.read('getSupplier', { path })).toEqual({
    id: 's1',
    name: 'Northern Carbon',
    countryCode: 'NA',
  });
});

test('an account holder reads its holdings, and decides on pending transactions', async () => {
  const holding = { start: 'i1_1', end: 'i1_10', state: 'UNLISTED' };
  expect(await system.read('listHoldings')).toMatchObject([holding]);
  expect(await system.read('listHoldings', { query: '$limit=1' })).toMatchObject([{ start: 'i1_1' }]);
  expect(await system.read('summarizeHoldings')).toMatchObject({ bundles: 1, volume: 10 });
  const query = '$filter[type][eq]=TRADE';
  expect(await system.read('listHolderTransactions', { query })).toMatchObject([{ transactionId: 'x1' }]);
  expect(await system.read('listHolderTransactions', { query: `${query}&$limit=1` })).toHaveLength(1);
  expect(await system.read('listHolderTransactions', { query: `${query}&$expand=totals` })).toHaveLength(1);
  expect(await system.read('getHolderTransaction', traded)).toMatchObject({ transactionId: 'x1' });
  expect(await system.read('approveHolderTransaction', waiting)).toMatchObject({ status: 'SUCCESS' });
  expect(await system.read('rejectHolderTransaction', waiting)).toMatchObject({ status: 'REJECTED' });
});

test('the registry reads facilities, issuances and certificates', async () => {
  const facility = { productionFacilityId: 'f1', code: 'FAC001', supplierId: 's1', gsrn: null };
  expect(await system.read('listFacilities')).toMatchObject({ pagination: { total: 1 }, data: [facility] });
  expect(await system.read('getFacility', { path: { code: 'FAC001' } })).toMatchObject(facility);
  expect(await system.statusOf('getFacility', { path: { code: 'FAC009' } })).toBe(404);
  const issuanceId = '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913';
  const issuance = { issuanceId, accountHolderId: 'h1', volume: 10, start: `${issuanceId}_1`, traderId: null };
  const query = 'accountHolderId=h1';
  expect(await system.read('listIssuances', { query })).toMatchObject({ data: [issuance] });
  expect(await system.read('getIssuance', { path: { issuanceId } })).toMatchObject(issuance);
  expect(await system.read('listCertificates', { query: 'ownerId=h1' })).toMatchObject({
    pagination: { total: 1 },
    data: [{ start: 'i1_1', end: 'i1_10', volume: 10 }],
  });
  expect(await system.read('getCertificateHistory', { path: { certificate: 'i1_1' } })).toMatchObject([
    { transactionId: 'i1', type: 'ISSUANCE' },
  ]);
});

test('the registry reads transactions, and decides on pending ones', async () => {
  const query = 'type=TRADE&accountHolderId=h1';
  expect(await system.read('listRegistryTransactions', { query })).toMatchObject({ data: [{ transactionId: 'x1' }] });
  const expanded = await system.read('listRegistryTransactions', { query: `${query}&expand=totals` });
  expect(expanded).toMatchObject({ data: [{ transactionId: 'x1' }] });
  expect(await system.read('getRegistryTransaction', traded)).toMatchObject({ transactionId: 'x1' });
  expect(await system.read('approveTransaction', waiting)).toMatchObject({ status: 'SUCCESS' });
  expect(await system.read('rejectTransaction', waiting)).toMatchObject({ status: 'REJECTED' });
});
