import type { EntityManager, ListPart, PageAsked } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { activeCertificates, bundleOrders, type CertificateFilter } from '../src/store/bundle-lists.ts';
import { readCovering } from '../src/store/bundles.ts';
import { countListed, countPending, countReserved } from '../src/store/channel-use.ts';
import { holdingsOf, orderedHoldingsOf, type HoldingFilter } from '../src/store/holding-lists.ts';
import { changesOf, listableOf, orderedListableOf } from '../src/store/inventory-lists.ts';
import { facilitiesByCode, pageOfFacilities } from '../src/store/facilities.ts';
import { pageOfIssuances, type IssuanceFilter } from '../src/store/issuance-lists.ts';
import { schema } from '../src/store/schema.ts';
import { publicStatements } from '../src/store/statements.ts';
import { sumTransactions } from '../src/store/summaries.ts';
import {
  transactionsOfChannel,
  transactionsOfHolder,
  transactionsOfRegistry,
  type ChannelFilter,
  type RegistryFilter,
} from '../src/store/transaction-lists.ts';
import { findHistory, findTransactionOfHolder } from '../src/store/transaction-views.ts';
import { largeLedger, largeNotes, largeRegister } from './support/large-ledger.ts';

type List = (em: EntityManager, asked: PageAsked) => Promise<ListPart<object>>;

/** A list by each of the filters, under a name that tells it. */
const by = <Filter>(what: string, filters: readonly Filter[], listOf: (filter: Filter) => List): Record<string, List> =>
  Object.fromEntries(filters.map((filter) => [`${what} ${JSON.stringify(filter)}`, listOf(filter)]));

const ISSUANCE = '00000000-0000-4000-8000-000000000001';
const anyTime = { fromMs: undefined, toMs: undefined };
/** Within an hour of the ledger, near its end. What a range has of an hour is counted. */
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

const ofChannel = withTimes<Omit<ChannelFilter, 'createdAt'>>([
  ...kinds,
  ...kinds.map((kind) => ({ ...kind, traderId: 'large' })),
  ...kinds.map((kind) => ({ ...kind, traderId: 'small' })),
]);
const [all, one, nobody] = [
  { name: 'shop', value: 'all' },
  { name: 'order', value: 'transaction-010000' },
  { name: 'order', value: 'none' },
];
const noted = withTimes<Omit<ChannelFilter, 'createdAt'>>([
  { externalReference: 'reference of transaction-010000' },
  { externalReference: 'none', type: 'TRADE', status: 'SUCCESS' },
  { externalReference: 'reference of transaction-010000', traderId: 'large', metadata: all },
  ...kinds.map((kind) => ({ ...kind, metadata: all })),
  { status: 'PENDING', traderId: 'small', metadata: all },
  { traderId: 'large', metadata: all },
  { metadata: one },
  { metadata: one, status: 'SUCCESS', traderId: 'small' },
  { metadata: nobody },
]);
const ofRegistry = withTimes<Omit<RegistryFilter, 'createdAt'>>([
  ...kinds,
  { type: 'ISSUANCE' },
  ...kinds.map((kind) => ({ ...kind, accountHolderId: 'small' })),
]);
/** Totals of these are counted among the account holder's own transactions, and only for ranges of time. */
const ofHolder = kinds.map((kind) => ({ ...kind, accountHolderId: 'large', createdAt: anyTime }));

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

/** An account holder whose traders have nearly all that is listed, and one whose trader has little. */
const traderOf = (id: string) => ({ salesChannelId: id, traderId: id });
const holderOf = (id: string) => ({ accountHolderId: id, traders: [traderOf(id)] });

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

/** These sort all bundles of their owner, and so read few only where there are few. */
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
    ...by(
      'oldest transactions of a channel',
      [...ofChannel, ...noted],
      (filter) => (em, asked) => transactionsOfChannel(em, 'large', { ...filter, descending: false }, asked),
    ),
    ...by(
      'youngest transactions of a channel',
      [...ofChannel, ...noted],
      (filter) => (em, asked) => transactionsOfChannel(em, 'large', { ...filter, descending: true }, asked),
    ),
    'transactions of a channel that has few': (em, asked) =>
      transactionsOfChannel(em, 'small', { createdAt: anyTime, descending: false }, asked),
    ...by(
      'transactions of the registry',
      [...ofRegistry, ...ofHolder],
      (filter) => (em, asked) => transactionsOfRegistry(em, filter, asked),
    ),
    ...by('certificates', certificates, (filter) => (em, asked) => activeCertificates(em, filter, asked)),
    'inventory of a trader': (em, asked) => listableOf(em, 'large', 'large', {}, asked),
    'inventory of a trader who has little': (em, asked) => listableOf(em, 'large', 'small', {}, asked),
    'inventory of a trader, of an issuance': (em, asked) =>
      listableOf(em, 'large', 'large', { issuanceId: ISSUANCE }, asked),
    ...by('holdings', holdings, (filter) => (em, asked) => holdingsOf(em, holderOf('large'), filter, asked)),
    'holdings on many channels': (em, asked) =>
      holdingsOf(
        em,
        { accountHolderId: 'large', traders: ['large', 'small', 'other', 'nobody'].map(traderOf) },
        {},
        asked,
      ),
    'holdings of an account holder who has little': (em, asked) => holdingsOf(em, holderOf('small'), {}, asked),
    ...by(
      'ordered inventory of a trader who has little',
      orders,
      (order) => (em, asked) => orderedListableOf(em, 'large', 'small', {}, asked, order),
    ),
    ...by(
      'ordered holdings of an account holder who has little',
      orders,
      (order) => (em, asked) => orderedHoldingsOf(em, holderOf('small'), {}, asked, order),
    ),
    ...by(
      'transactions of an account holder',
      withTimes(kinds),
      (filter) => (em, asked) => transactionsOfHolder(em, holderOf('small'), { ...filter, descending: true }, asked),
    ),
    ...by(
      'transactions of an account holder who has many',
      withTimes(kinds),
      (filter) => (em, asked) => transactionsOfHolder(em, holderOf('large'), { ...filter, descending: false }, asked),
    ),
    ...by('issuances', issuances, (filter) => (em, asked) => pageOfIssuances(em, filter, asked)),
    'public statements': (em, asked) => publicStatements(em, anyTime, asked),
    ...by(
      'public statements of',
      ['FÉRRIES', 'zebra', 'ferries 1', 'nobody'],
      (part) => (em, asked) => publicStatements(em, anyTime, asked, { part, now: new Date() }),
    ),
    'facilities of the registry': pageOfFacilities,
    'facilities of a channel': facilitiesByCode,
  },
  others: {
    ...Object.fromEntries(
      [{ externalReference: 'reference of transaction-010000' }, { metadata: one }, { metadata: nobody }].map(
        (notes) => [
          `the sum of transactions ${JSON.stringify(notes)}`,
          (em: EntityManager) => sumTransactions(em, { ...summed, ...notes }, 'vintage', 'UTC'),
        ],
      ),
    ),
    // Read once each: twice would be too much.
    'the bundles that hold 250 certificates': (em) =>
      readCovering(
        em,
        Array.from({ length: 250 }, (_each, index) => ({ issuanceId: ISSUANCE, serial: BigInt(index * 20 + 7) })),
      ),
    'the pending transactions of a channel': (em) => countPending(em, 'large'),
    'the reserved bundles of a channel': (em) => countReserved(em, 'large'),
    'the listed bundles of a channel that has few': (em) => countListed(em, 'small'),
    'what an inventory has changed by': (em) => changesOf(em, 'large'),
    'one transaction of an account holder who has many': (em) =>
      findTransactionOfHolder(em, holderOf('large'), 'transaction-010000'),
    'the history of a certificate that was sold early': (em) => findHistory(em, ISSUANCE, '7'),
    'the history of a certificate that was sold last': (em) => findHistory(em, ISSUANCE, '9998'),
    'the history of a certificate that was never sold': (em) => findHistory(em, ISSUANCE, '10000'),
  },
});
