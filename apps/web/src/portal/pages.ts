import { isHolder, isOfChannel, type Me } from './me.ts';
import { translated } from '../shared/i18n/messages.ts';
import type { PageEntry } from '../shared/shell/pages.ts';

const text = translated({
  own: 'Yours',
  holder: 'Account holder',
  channel: 'Sales channel',
  overview: 'Overview',
  inventory: 'Inventory',
  events: 'Events',
  transactions: 'Transactions',
  traders: 'Traders',
  people: 'People',
  audit: 'Audit trail',
  start: 'Start',
  keys: 'Keys',
  me: 'You',
  holdings: 'Holdings',
  approvals: 'Approvals',
  listings: 'Listings',
  holderTransactions: 'Transactions',
});

const INVENTORY = '/channel/inventory';

/** Every page of the portal: the one list. The build makes of it what the server answers. */
export const pages: readonly PageEntry<Me>[] = [
  {
    path: '/',
    load: () => import('./pages/start/index.tsx'),
    navigation: { group: text.own, label: text.start, isFor: () => true },
  },
  {
    path: '/keys',
    load: () => import('./pages/keys/index.tsx'),
    navigation: { group: text.own, label: text.keys, isFor: () => true },
  },
  {
    path: '/me',
    load: () => import('./pages/me/index.tsx'),
    navigation: { group: text.own, label: text.me, isFor: () => true },
  },
  {
    path: '/holder',
    load: () => import('./pages/holdings/index.tsx'),
    navigation: { group: text.holder, label: text.holdings, isFor: isHolder },
  },
  {
    path: '/holder/approvals',
    load: () => import('./pages/approvals/index.tsx'),
    navigation: { group: text.holder, label: text.approvals, isFor: isHolder },
  },
  {
    path: '/holder/listings',
    load: () => import('./pages/listings/index.tsx'),
    navigation: { group: text.holder, label: text.listings, isFor: isHolder },
  },
  {
    path: '/holder/transactions',
    load: () => import('./pages/holder-transactions/index.tsx'),
    navigation: { group: text.holder, label: text.holderTransactions, isFor: isHolder },
  },
  { path: '/holder/transactions/:id', load: () => import('./pages/holder-transaction/index.tsx') },
  {
    path: '/channel',
    load: () => import('./pages/channel/index.tsx'),
    navigation: {
      group: text.channel,
      label: text.overview,
      isFor: (me) => isOfChannel(me, 'TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER'),
    },
  },
  {
    path: INVENTORY,
    load: () => import('./pages/inventory/index.tsx'),
    navigation: { group: text.channel, label: text.inventory, isFor: (me) => isOfChannel(me, 'ASSET_VIEWER') },
  },
  { path: '/channel/move/trade', load: () => import('./pages/move/index.tsx'), within: INVENTORY },
  { path: '/channel/move/retire', load: () => import('./pages/move/index.tsx'), within: INVENTORY },
  { path: '/channel/move/offramp', load: () => import('./pages/move/index.tsx'), within: INVENTORY },
  {
    path: '/channel/transactions',
    load: () => import('./pages/transactions/index.tsx'),
    navigation: {
      group: text.channel,
      label: text.transactions,
      isFor: (me) => isOfChannel(me, 'TRANSACTION_ADMINISTRATOR'),
    },
  },
  { path: '/channel/transactions/:id', load: () => import('./pages/transaction/index.tsx') },
  {
    path: '/channel/events',
    load: () => import('./pages/events/index.tsx'),
    navigation: { group: text.channel, label: text.events, isFor: (me) => isOfChannel(me, 'EVENT_VIEWER') },
  },
  {
    path: '/channel/traders',
    load: () => import('./pages/traders/index.tsx'),
    navigation: {
      group: text.channel,
      label: text.traders,
      isFor: (me) => isOfChannel(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_VIEWER'),
    },
  },
  {
    path: '/channel/people',
    load: () => import('./pages/people/index.tsx'),
    navigation: { group: text.channel, label: text.people, isFor: (me) => isOfChannel(me, 'ROLE_ADMINISTRATOR') },
  },
  {
    path: '/channel/audit',
    load: () => import('./pages/audit/index.tsx'),
    navigation: { group: text.channel, label: text.audit, isFor: (me) => isOfChannel(me, 'ROLE_ADMINISTRATOR') },
  },
  { path: '/invitation', load: () => import('./pages/invitation/index.tsx') },
  { path: '/search', load: () => import('./pages/search/index.tsx') },
  // In the tab of a sign-in: the frame shows it by itself.
  { path: '/signed-in', load: () => import('./pages/start/index.tsx') },
];
