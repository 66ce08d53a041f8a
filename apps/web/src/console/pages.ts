import { translate } from '../shared/i18n/messages.ts';
import type { SignedIn } from '../shared/session/session.ts';
import type { PageEntry } from '../shared/shell/pages.ts';

const text = translate({
  installation: 'Installation',
  status: 'Status',
  imports: 'Imports',
  deadLetters: 'Dead letters',
  audit: 'Audit trail',
  access: 'Access',
  channels: 'Sales channels',
  holders: 'Account holders',
  users: 'Users',
});

const isFor = (): boolean => true;
const installation = (label: string) => ({ group: text.installation, label, isFor });
const access = (label: string) => ({ group: text.access, label, isFor });

/** All pages of the console. The build derives the paths that the server answers from this list. */
export const pages: readonly PageEntry<SignedIn>[] = [
  { path: '/', load: () => import('./pages/status/index.tsx'), navigation: installation(text.status) },
  { path: '/imports', load: () => import('./pages/imports/index.tsx'), navigation: installation(text.imports) },
  { path: '/imports/:id', load: () => import('./pages/import/index.tsx') },
  {
    path: '/dead-letters',
    load: () => import('./pages/dead-letters/index.tsx'),
    navigation: installation(text.deadLetters),
  },
  { path: '/dead-letters/:queue', load: () => import('./pages/dead-letter-queue/index.tsx') },
  { path: '/audit', load: () => import('./pages/audit/index.tsx'), navigation: installation(text.audit) },
  { path: '/channels', load: () => import('./pages/channels/index.tsx'), navigation: access(text.channels) },
  { path: '/holders', load: () => import('./pages/holders/index.tsx'), navigation: access(text.holders) },
  { path: '/holders/:id', load: () => import('./pages/holder/index.tsx') },
  { path: '/users', load: () => import('./pages/users/index.tsx'), navigation: access(text.users) },
  { path: '/users/:id', load: () => import('./pages/user/index.tsx') },
  { path: '/search', load: () => import('./pages/search/index.tsx') },
  // Opened in the tab of a repeated sign-in, where the application replaces the page.
  { path: '/signed-in', load: () => import('./pages/status/index.tsx') },
];
