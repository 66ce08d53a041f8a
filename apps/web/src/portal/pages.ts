import type { Me } from './me.ts';
import { translated } from '../shared/i18n/messages.ts';
import type { PageEntry } from '../shared/shell/pages.ts';

const text = translated({
  own: 'Yours',
  start: 'Start',
  keys: 'Keys',
  me: 'You',
});

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
  // In the tab of a sign-in: the frame shows it by itself.
  { path: '/signed-in', load: () => import('./pages/start/index.tsx') },
];
