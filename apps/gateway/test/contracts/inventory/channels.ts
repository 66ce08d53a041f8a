import { among, bytes, count, interaction, pieces, text } from '@saleschannel/testing/contracts';
import { matchDocument } from '../../support/public-contract.ts';

const as =
  (...roles: ('ASSET_VIEWER' | 'TRANSACTION_ADMINISTRATOR' | 'PRODUCTIONFACILITY_VIEWER' | 'SUPPLIER_VIEWER')[]) =>
  ({ channel }: { channel: string }) =>
    ({ salesChannelId: channel, roles }) as const;
const asViewer = as('ASSET_VIEWER');
const asAdministrator = as('TRANSACTION_ADMINISTRATOR');

const seller = 'a trader with certificates';
const certificates = { channel: 'c1', trader: 't1', start: 'i1_1', end: 'i1_10' };
const traded = 'a trade that was carried out';
const trade = { channel: 'c1', seller: 't1', buyer: 't2', transaction: 'x1' };
const page = { limit: 1, offset: '0' };
const built = 'a production facility and its supplier';
const facility = (id: string) => ({
  id,
  code: text('FAC001'),
  name: text('Northern Biochar'),
  countryCode: text('NA'),
  methodologyCodes: [text('C03000000')],
  gsrn: undefined,
});

/** Sales channels read assets and transactions, and change statements. */
export const channelRequirements = [
  interaction('inventory.ListInventory', {
    given: seller,
    values: certificates,
    as: asViewer,
    request: ({ trader }) => ({ traderId: trader, filter: {} }),
    answer: ({ start, end }) =>
      pieces(matchDocument('listInventory', [{ start, end, volume: 10 }]), { unchanged: false, version: text('v1') }),
  }),
  interaction('inventory.ListInventory', {
    given: 'a trader with certificates, of which a version is known',
    values: { channel: 'c1', trader: 't1', version: 'v1' },
    as: asViewer,
    request: ({ trader, version }) => ({ traderId: trader, filter: {}, known: { versions: [version] } }),
    answer: ({ version }) => [{ unchanged: true, version }],
  }),
  interaction('inventory.ListInventory', {
    given: seller,
    values: certificates,
    as: asViewer,
    request: ({ trader }) => ({ traderId: trader, filter: { vintage: 2024 }, format: 'LIST_FORMAT_CSV' as const }),
    answer: () => pieces(bytes('volume\r\n10\r\n'), { format: 'LIST_FORMAT_CSV' as const }),
  }),
  interaction('inventory.PageInventory', {
    given: seller,
    values: certificates,
    as: asViewer,
    request: ({ trader }) => ({ traderId: trader, filter: {}, page }),
    answer: ({ start, end }) => ({
      data: matchDocument('listInventory', [{ start, end }]),
      unchanged: false,
      version: text('v1'),
      next: undefined,
    }),
  }),
  interaction('inventory.SummarizeInventory', {
    given: seller,
    values: certificates,
    as: asViewer,
    request: ({ trader }) => ({ traderId: trader, filter: {} }),
    answer: () => ({ data: matchDocument('summarizeInventory', { bundles: 1, volume: 10 }) }),
  }),
  interaction('inventory.PlanTransfer', {
    given: seller,
    values: certificates,
    as: asAdministrator,
    request: ({ trader, start, end }) => ({ traderId: trader, type: 'TRADE', assets: [{ start, end }] }),
    answer: () => ({ data: matchDocument('planTransfer', { type: 'TRADE', volume: 10, faults: [] }) }),
  }),
  interaction('inventory.PlanTransfer', {
    given: seller,
    values: certificates,
    as: asAdministrator,
    request: ({ trader }) => ({ traderId: trader, type: 'RETIREMENT', oldest: { volume: '4', filter: {} } }),
    answer: () => ({ data: matchDocument('planTransfer', { type: 'RETIREMENT', volume: 4, faults: [] }) }),
  }),
  interaction('inventory.ListTransactions', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: () => ({ filter: { type: 'TRADE' }, descending: true }),
    answer: ({ seller: sellerId, buyer: buyerId, transaction: id }) =>
      pieces(matchDocument('listTransactions', [{ id, sellerId, buyerId, type: 'TRADE', status: 'SUCCESS' }])),
  }),
  interaction('inventory.ListTransactions', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: () => ({
      filter: {},
      descending: false,
      expand: ['names', 'reference', 'metadata', 'retirement', 'totals'],
    }),
    answer: ({ transaction: id }) =>
      pieces(matchDocument('listTransactions', [{ id, retirement: null }]), { expanded: true }),
  }),
  interaction('inventory.PageTransactions', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: () => ({ filter: { type: 'TRADE' }, page }),
    answer: ({ transaction: id }) => pieces(matchDocument('listTransactions', [{ id }]), { next: undefined }),
  }),
  interaction('inventory.SummarizeTransactions', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: () => ({ groupBy: 'month', timeZone: 'UTC', filter: { type: 'TRADE' } }),
    answer: () => ({
      data: matchDocument('summarizeTransactions', [{ type: 'TRADE', transactions: count(1), volume: count(4) }]),
    }),
  }),
  interaction('inventory.GetTransaction', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: id, seller: sellerId, buyer: buyerId }) => ({
      data: matchDocument('getTransaction', { id, sellerId, buyerId, type: 'TRADE', status: 'SUCCESS' }),
    }),
  }),
  interaction('inventory.GetTransaction', {
    given: 'a channel without transactions, and an id of none',
    values: { channel: 'c1', nothing: 'x9' },
    as: asAdministrator,
    request: ({ nothing }) => ({ transactionId: nothing }),
    refusal: 'not-found',
  }),
  interaction('inventory.GetTransactionDetail', {
    given: traded,
    values: trade,
    as: asAdministrator,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: id }) => ({ data: matchDocument('getTransactionDetail', { id }) }),
  }),
  interaction('inventory.UpdateStatement', {
    given: 'a retirement',
    values: { channel: 'c1', transaction: 'x2', statement: 's1' },
    as: asAdministrator,
    request: ({ transaction: transactionId }) => ({ transactionId, publication: 'PUBLIC', beneficiaryHiddenUntil: '' }),
    answer: ({ statement: id }) => ({
      data: matchDocument('updateStatement', { id, publication: 'PUBLIC', beneficiaryHiddenUntil: null }),
    }),
  }),
  interaction('inventory.ListProductionFacilities', {
    given: built,
    values: { channel: 'c1', facility: 'f1' },
    as: as('PRODUCTIONFACILITY_VIEWER'),
    request: () => ({}),
    answer: ({ facility: id }) => among(facility(id)),
  }),
  interaction('inventory.PageProductionFacilities', {
    given: built,
    values: { channel: 'c1', facility: 'f1' },
    as: as('PRODUCTIONFACILITY_VIEWER'),
    request: () => ({ page: { limit: 100, offset: '0' } }),
    answer: ({ facility: id }) => ({ facilities: among(facility(id)), next: undefined }),
  }),
  interaction('inventory.GetProductionFacility', {
    given: built,
    values: { channel: 'c1', facility: 'f1' },
    as: as('PRODUCTIONFACILITY_VIEWER'),
    request: ({ facility: productionFacilityId }) => ({ productionFacilityId }),
    answer: ({ facility: id }) => facility(id),
  }),
  interaction('inventory.GetSupplier', {
    given: built,
    values: { channel: 'c1', supplier: 's1' },
    as: as('SUPPLIER_VIEWER'),
    request: ({ supplier }) => ({ supplierId: supplier }),
    answer: ({ supplier }) => ({ id: supplier, name: text('Northern Carbon'), countryCode: text('NA') }),
  }),
];
