import type { ReactNode } from 'react';
import { translated } from '../shared/i18n/messages.ts';
import type { SignedIn } from '../shared/session/session.ts';
import { createApplication } from '../shared/shell/application.tsx';
import { Shell } from '../shared/shell/frame.tsx';
import { Read } from '../shared/ui/state.tsx';
import { KeysBanner } from './keys/banner.tsx';
import { useMe } from './me.ts';
import { pages } from './pages.ts';
import { SearchBox } from '../shared/shell/search-box.tsx';

const text = translated({
  name: 'Sales channel portal',
  about:
    'For account holders who own certificates of removed carbon, and for the people of sales channels who trade, ' +
    'retire and offramp them.',
});

function Frame({ session, children }: { readonly session: SignedIn; readonly children: ReactNode }) {
  const me = useMe();
  const place = me.data?.salesChannel?.name ?? me.data?.accountHolder?.name;
  return (
    <Shell name={text.name} place={place} session={session} person={me.data} pages={pages} search={<SearchBox />}>
      <KeysBanner />
      <Read of={me}>{() => children}</Read>
    </Shell>
  );
}

export const Portal = createApplication({ name: text.name, about: text.about, pages, Frame });
