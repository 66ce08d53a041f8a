import { isOfChannel, type Me } from './me.ts';
import { translated } from '../shared/i18n/messages.ts';
import type { PageEntry } from '../shared/shell/pages.ts';

const text = translated({
  own: 'Yours',
  channel: 'Sales channel',
  overview: 'Overview',
  inventory: 'Inventory',
  events: 'Events',
  transactions: 'Transactions',
  traders: 'Traders',
  start: 'Start',
  keys: 'Keys',
  me: 'You',
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
  { path: '/search', load: () => import('./pages/search/index.tsx') },
  // In the tab of a sign-in: the frame shows it by itself.
  { path: '/signed-in', load: () => import('./pages/start/index.tsx') },
];
