import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { translate } from '../shared/i18n/messages.ts';
import type { SignedIn } from '../shared/session/session.ts';
import { createApplication } from '../shared/shell/application.tsx';
import { Shell } from '../shared/shell/frame.tsx';
import { findPage } from '../shared/shell/pages.ts';
import { SearchBox } from '../shared/shell/search-box.tsx';
import { Failure, Forbidden } from '../shared/ui/state.tsx';
import { AccessDenied, RefusalExplanation } from './access-denied.tsx';
import { KeysBanner } from './keys/banner.tsx';
import { isInAudience, useMe, type Audience } from './me.ts';
import { pages } from './pages.ts';

const text = translate({
  name: 'Sales channel portal',
  about:
    'For account holders who own certificates of carbon removal, and for users of sales channels who trade, retire ' +
    'and offramp them.',
});

/**
 * Draws the page before the user is known, so that its reads start at once. Replaces it if the user has no access.
 */
function AudienceGuard({ audience, children }: { readonly audience: Audience; readonly children: ReactNode }) {
  const me = useMe();
  if (!me.data) return me.error ? <Failure error={me.error} onRetry={() => void me.refetch()} /> : children;
  return isInAudience(me.data, audience) ? children : <AccessDenied me={me.data} audience={audience} />;
}

function Frame({ session, children }: { readonly session: SignedIn; readonly children: ReactNode }) {
  const me = useMe();
  const [location] = useLocation();
  const audience = findPage(pages, location)?.audience ?? 'all';
  const context = me.data?.salesChannel?.name ?? me.data?.accountHolder?.name;
  return (
    <Shell name={text.name} context={context} session={session} person={me.data} pages={pages} search={<SearchBox />}>
      <KeysBanner />
      <Forbidden value={{ isKnown: !me.isPending, explanation: <RefusalExplanation /> }}>
        <AudienceGuard audience={audience}>{children}</AudienceGuard>
      </Forbidden>
    </Shell>
  );
}

export const Portal = createApplication({ name: text.name, about: text.about, pages, Frame });
