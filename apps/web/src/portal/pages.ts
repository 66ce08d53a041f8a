import { translate } from '../shared/i18n/messages.ts';
import type { PageEntry } from '../shared/shell/pages.ts';
import { isInAudience, type Audience, type Me } from './me.ts';

const text = translate({
  own: 'Your account',
  holder: 'Account holder',
  channel: 'Sales channel',
  overview: 'Overview',
  inventory: 'Inventory',
  events: 'Events',
  webhooks: 'Webhooks',
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

interface PortalPage extends PageEntry<Me> {
  readonly audience: Audience;
}

/** @param entry position in the navigation */
const page = (
  path: string,
  audience: Audience,
  load: PortalPage['load'],
  entry?: { readonly group: string; readonly label: string },
): PortalPage => ({
  path,
  audience,
  load,
  ...(entry && { navigation: { ...entry, isFor: (me) => isInAudience(me, audience) } }),
});

const own = (label: string) => ({ group: text.own, label });
const ofHolder = (label: string) => ({ group: text.holder, label });
const ofChannel = (label: string) => ({ group: text.channel, label });

const INVENTORY = '/channel/inventory';
const move = () => import('./pages/move/index.tsx');
const start = () => import('./pages/start/index.tsx');

/** All pages of the portal. The build derives the paths that the server answers from this list. */
export const pages: readonly PortalPage[] = [
  page('/', 'all', start, own(text.start)),
  page('/keys', 'all', () => import('./pages/keys/index.tsx'), own(text.keys)),
  page('/me', 'all', () => import('./pages/me/index.tsx'), own(text.me)),
  page('/holder', 'holder', () => import('./pages/holdings/index.tsx'), ofHolder(text.holdings)),
  page('/holder/approvals', 'holder', () => import('./pages/approvals/index.tsx'), ofHolder(text.approvals)),
  page('/holder/listings', 'holder', () => import('./pages/listings/index.tsx'), ofHolder(text.listings)),
  page(
    '/holder/transactions',
    'holder',
    () => import('./pages/holder-transactions/index.tsx'),
    ofHolder(text.holderTransactions),
  ),
  page('/holder/transactions/:id', 'holder', () => import('./pages/holder-transaction/index.tsx')),
  page(
    '/channel',
    ['TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER'],
    () => import('./pages/channel/index.tsx'),
    ofChannel(text.overview),
  ),
  page(INVENTORY, ['ASSET_VIEWER'], () => import('./pages/inventory/index.tsx'), ofChannel(text.inventory)),
  { ...page('/channel/move/trade', ['TRANSACTION_ADMINISTRATOR'], move), within: INVENTORY },
  { ...page('/channel/move/retire', ['TRANSACTION_ADMINISTRATOR'], move), within: INVENTORY },
  { ...page('/channel/move/offramp', ['ASSET_OFFRAMPER'], move), within: INVENTORY },
  page(
    '/channel/transactions',
    ['TRANSACTION_ADMINISTRATOR'],
    () => import('./pages/transactions/index.tsx'),
    ofChannel(text.transactions),
  ),
  page('/channel/transactions/:id', ['TRANSACTION_ADMINISTRATOR'], () => import('./pages/transaction/index.tsx')),
  page('/channel/events', ['EVENT_VIEWER'], () => import('./pages/events/index.tsx'), ofChannel(text.events)),
  page('/channel/webhooks', ['EVENT_VIEWER'], () => import('./pages/webhooks/index.tsx'), ofChannel(text.webhooks)),
  page('/channel/webhooks/:id', ['EVENT_VIEWER'], () => import('./pages/webhook/index.tsx')),
  page(
    '/channel/webhooks/:id/deliveries/:delivery',
    ['EVENT_VIEWER'],
    () => import('./pages/webhook-delivery/index.tsx'),
  ),
  page(
    '/channel/traders',
    ['TRADER_VIEWER', 'TRADER_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_VIEWER'],
    () => import('./pages/traders/index.tsx'),
    ofChannel(text.traders),
  ),
  page('/channel/people', ['ROLE_ADMINISTRATOR'], () => import('./pages/people/index.tsx'), ofChannel(text.people)),
  page('/channel/audit', ['ROLE_ADMINISTRATOR'], () => import('./pages/audit/index.tsx'), ofChannel(text.audit)),
  page('/invitation', 'all', () => import('./pages/invitation/index.tsx')),
  page('/search', 'all', () => import('./pages/search/index.tsx')),
  // Opened in the tab of a repeated sign-in, where the application replaces the page.
  page('/signed-in', 'all', start),
];
