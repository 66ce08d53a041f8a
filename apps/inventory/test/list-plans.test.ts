import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { bundleOrders } from '../src/store/bundle-views.ts';
import { findHistory, selectCertificates, type CertificateFilter } from '../src/store/certificates.ts';
import { readContaining } from '../src/store/bundles.ts';
import { countListed, countPending, countReserved } from '../src/store/operator.ts';
import { selectHoldings, selectOrderedHoldings, type HoldingFilter } from '../src/store/holding-lists.ts';
import { readInventoryChanges, selectInventory, selectOrderedInventory } from '../src/store/inventory-lists.ts';
import { selectFacilities, selectFacilitiesWithTotal } from '../src/store/facilities.ts';
import { selectIssuances, type IssuanceFilter } from '../src/store/issuances.ts';
import { schema } from '../src/store/schema.ts';
import { selectPublicStatements } from '../src/store/statements.ts';
import { sumTransactions } from '../src/store/summaries.ts';
import {
  selectChannelTransactions,
  selectHolderTransactions,
  selectRegistryTransactions,
  type ChannelFilter,
  type RegistryFilter,
} from '../src/store/transaction-lists.ts';
import { findTransactionOfHolder } from '../src/store/transaction-views.ts';
import { largeLedger, largeNotes, largeRegister } from './support/large-ledger.ts';

type List = (em: EntityManager, page: PageRequest) => Promise<ListPart<object>>;

/** One named list per filter. */
const forEach = <Filter>(
  name: string,
  filters: readonly Filter[],
  toList: (filter: Filter) => List,
): Record<string, List> =>
  Object.fromEntries(filters.map((filter) => [`${name} ${JSON.stringify(filter)}`, toList(filter)]));

const ISSUANCE = '00000000-0000-4000-8000-000000000001';
const anyTime = { fromMs: undefined, toMs: undefined };
/** Within an hour near the end of the ledger. Rows of partial hours are counted. */
const someTime = { fromMs: Date.parse('2026-01-01T05:10:00Z'), toMs: Date.parse('2026-01-01T05:13:00Z') };
const withTimes = <Filter extends object>(filters: readonly Filter[]) =>
  filters.flatMap((filter) => [
    { ...filter, createdAt: anyTime },
    { ...filter, createdAt: someTime },
  ]);

const kinds = [
  {},
  { type: 'TRADE' },
  { type: 'RETIREMENT' },
  { status: 'SUCCESS' },
  { status: 'REJECTED' },
  { type: 'TRADE', status: 'PENDING' },
] as const;

const channelFilters = withTimes<Omit<ChannelFilter, 'createdAt'>>([
  ...kinds,
  ...kinds.map((kind) => ({ ...kind, traderId: 'large' })),
  ...kinds.map((kind) => ({ ...kind, traderId: 'small' })),
]);
const [common, unique, unknown] = [
  { name: 'shop', value: 'all' },
  { name: 'order', value: 'transaction-010000' },
  { name: 'order', value: 'none' },
];
const notesFilters = withTimes<Omit<ChannelFilter, 'createdAt'>>([
  { externalReference: 'reference of transaction-010000' },
  { externalReference: 'none', type: 'TRADE', status: 'SUCCESS' },
  { externalReference: 'reference of transaction-010000', traderId: 'large', metadata: common },
  ...kinds.map((kind) => ({ ...kind, metadata: common })),
  { status: 'PENDING', traderId: 'small', metadata: common },
  { traderId: 'large', metadata: common },
  { metadata: unique },
  { metadata: unique, status: 'SUCCESS', traderId: 'small' },
  { metadata: unknown },
]);
const registryFilters = withTimes<Omit<RegistryFilter, 'createdAt'>>([
  ...kinds,
  { type: 'ISSUANCE' },
  ...kinds.map((kind) => ({ ...kind, accountHolderId: 'small' })),
]);
/** Without a range of time, because only then are their totals stored. */
const holderFilters = kinds.map((kind) => ({ ...kind, accountHolderId: 'large', createdAt: anyTime }));

const certificates: readonly CertificateFilter[] = [
  {},
  { status: 'HELD' },
  { status: 'LISTABLE' },
  { status: 'RESERVED' },
  { ownerId: 'large' },
  { ownerId: 'small' },
  { salesChannelId: 'large' },
  { salesChannelId: 'small' },
  { issuanceId: ISSUANCE },
  { ownerId: 'small', salesChannelId: 'large' },
  { ownerId: 'small', issuanceId: ISSUANCE },
  { salesChannelId: 'small', issuanceId: ISSUANCE },
];

/** The trader of account holder `large` has nearly all listed bundles, the trader of `small` few. */
const toTrader = (id: string) => ({ salesChannelId: id, traderId: id });
const toHolder = (id: string) => ({ accountHolderId: id, traders: [toTrader(id)] });

const holdings: readonly HoldingFilter[] = [
  {},
  { state: 'UNLISTED' },
  { state: 'LISTED' },
  { state: 'RESERVED' },
  { state: 'RETIRED' },
  { state: 'OFFRAMPED' },
  { salesChannelId: 'large' },
  { salesChannelId: 'nowhere' },
  { vintage: 2025 },
  { productionFacilityId: 'facility-1' },
];

/** Each page sorts all bundles of the owner, so only owners with few bundles are tested. */
const orders = bundleOrders.flatMap((by) => [false, true].map((descending) => ({ by, descending })));

const issuances: readonly IssuanceFilter[] = [
  {},
  { facilityId: 'facility-1' },
  { facilityId: 'facility-2' },
  { vintage: 2025 },
  { vintage: 2021 },
  { accountHolderId: 'large' },
  { accountHolderId: 'small' },
];

const summed = {
  salesChannelId: 'large',
  types: ['TRADE', 'RETIREMENT', 'OFFRAMP'],
  status: 'SUCCESS',
  createdAt: anyTime,
} as const;

planTests({
  schema,
  fill: largeLedger + largeNotes + largeRegister,
  lists: {
    ...forEach(
      'oldest transactions of a channel',
      [...channelFilters, ...notesFilters],
      (filter) => (em, page) => selectChannelTransactions(em, 'large', { ...filter, descending: false }, page),
    ),
    ...forEach(
      'newest transactions of a channel',
      [...channelFilters, ...notesFilters],
      (filter) => (em, page) => selectChannelTransactions(em, 'large', { ...filter, descending: true }, page),
    ),
    'transactions of a channel with few': (em, page) =>
      selectChannelTransactions(em, 'small', { createdAt: anyTime, descending: false }, page),
    ...forEach(
      'transactions of the registry',
      [...registryFilters, ...holderFilters],
      (filter) => (em, page) => selectRegistryTransactions(em, filter, page),
    ),
    ...forEach('certificates', certificates, (filter) => (em, page) => selectCertificates(em, filter, page)),
    'inventory of a trader': (em, page) => selectInventory(em, 'large', 'large', {}, page),
    'inventory of a trader with few bundles': (em, page) => selectInventory(em, 'large', 'small', {}, page),
    'inventory of a trader, of an issuance': (em, page) =>
      selectInventory(em, 'large', 'large', { issuanceId: ISSUANCE }, page),
    ...forEach('holdings', holdings, (filter) => (em, page) => selectHoldings(em, toHolder('large'), filter, page)),
    'holdings on many channels': (em, page) =>
      selectHoldings(
        em,
        { accountHolderId: 'large', traders: ['large', 'small', 'other', 'nobody'].map(toTrader) },
        {},
        page,
      ),
    'holdings of an account holder with few bundles': (em, page) => selectHoldings(em, toHolder('small'), {}, page),
    ...forEach(
      'ordered inventory of a trader with few bundles',
      orders,
      (order) => (em, page) => selectOrderedInventory(em, 'large', 'small', {}, page, order),
    ),
    ...forEach(
      'ordered holdings of an account holder with few bundles',
      orders,
      (order) => (em, page) => selectOrderedHoldings(em, toHolder('small'), {}, page, order),
    ),
    ...forEach(
      'transactions of an account holder',
      withTimes(kinds),
      (filter) => (em, page) => selectHolderTransactions(em, toHolder('small'), { ...filter, descending: true }, page),
    ),
    ...forEach(
      'transactions of an account holder with many',
      withTimes(kinds),
      (filter) => (em, page) => selectHolderTransactions(em, toHolder('large'), { ...filter, descending: false }, page),
    ),
    ...forEach('issuances', issuances, (filter) => (em, page) => selectIssuances(em, filter, page)),
    'public statements': (em, page) => selectPublicStatements(em, anyTime, page),
    ...forEach(
      'public statements of',
      ['FÉRRIES', 'zebra', 'ferries 1', 'nobody'],
      (part) => (em, page) => selectPublicStatements(em, anyTime, page, { part, now: new Date() }),
    ),
    'facilities of the registry': selectFacilitiesWithTotal,
    'facilities of a channel': selectFacilities,
  },
  others: {
    ...Object.fromEntries(
      [{ externalReference: 'reference of transaction-010000' }, { metadata: unique }, { metadata: unknown }].map(
        (notes) => [
          `the sum of transactions ${JSON.stringify(notes)}`,
          (em: EntityManager) => sumTransactions(em, { ...summed, ...notes }, 'vintage', 'UTC'),
        ],
      ),
    ),
    // Each bundle must be read only once.
    'the bundles of 250 certificates': (em) =>
      readContaining(
        em,
        Array.from({ length: 250 }, (_each, index) => ({ issuanceId: ISSUANCE, serial: BigInt(index * 20 + 7) })),
      ),
    'the pending transactions of a channel': (em) => countPending(em, 'large'),
    'the reserved bundles of a channel': (em) => countReserved(em, 'large'),
    'the listed bundles of a channel with few': (em) => countListed(em, 'small'),
    'the version of an inventory': (em) => readInventoryChanges(em, 'large'),
    'one transaction of an account holder with many': (em) =>
      findTransactionOfHolder(em, toHolder('large'), 'transaction-010000'),
    'the history of a certificate that was sold early': (em) => findHistory(em, ISSUANCE, '7'),
    'the history of a certificate that was sold last': (em) => findHistory(em, ISSUANCE, '9998'),
    'the history of a certificate that was never sold': (em) => findHistory(em, ISSUANCE, '10000'),
  },
});
