import { type ReactNode, useEffect, useState } from 'react';
import '../shared/theme/tokens.css';
import { storeInvitation } from './invitation.ts';
import { useLocation, Link } from 'wouter';
import { translate } from '../shared/i18n/messages.ts';
import type { SignedIn } from '../shared/session/session.ts';
import { startApplication } from '../shared/shell/application.tsx';
import { Shell, SearchBox } from '../shared/shell/frame.tsx';
import { findPage } from '../shared/shell/pages.ts';
import { Failure, Forbidden } from '../shared/ui/state.tsx';
import { isInAudience, useMe, type Audience, meKey, roleLabel, type Me, type Role } from './me.ts';
import { pages } from './pages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Page } from '../shared/ui/page.tsx';
import { daysBetween } from '../shared/format/time.ts';
import styles from '../shared/shell/shell.module.css';
import { findKeysExpiringSoon, useKeys } from './keys/keys.ts';

const text = translate({
  name: 'Sales channel portal',
  about:
    'For account holders who own certificates of carbon removal, and for users of sales channels who trade, retire ' +
    'and offramp them.',
  deniedTitle: 'You do not have access to this page',
  needs: 'This page requires a role that you do not have:',
  needsOne: 'This page requires one of these roles, and you have none of them:',
  grants: (channel: string) => `Role administrators of ${channel} grant roles.`,
  noChannel: 'You do not belong to a sales channel. Role administrators of a sales channel add users and grant roles.',
  holderOnly:
    'This page is for users of an account holder, and you do not belong to one. The operators of this service assign ' +
    'users to account holders.',
  suspended: (channel: string) => `${channel} is suspended: it can be read but not changed.`,
  ownRoles: (roles: string) => `Your roles are ${roles}.`,
  noRoles: 'You have no roles.',
  ends(name: string, days: number) {
    if (days < 1) return `The key ${name} expires today.`;
    return days === 1 ? `The key ${name} expires tomorrow.` : `The key ${name} expires in ${days} days.`;
  },
  others: (count: number) => `${count} more expire soon.`,
  rotate: 'View keys',
});

/** Warns on every page about an expiring key. Shown only if keys are known. */
function KeysBanner() {
  const { data } = useKeys();
  const [now] = useState(() => Date.now());
  const [next, ...others] = findKeysExpiringSoon(data ?? [], now);
  if (!next) return null;
  return (
    <div className={styles['banner']} role="status">
      <p>
        {text.ends(next.name ?? next.id, daysBetween(now, next.expiresAt))}{' '}
        {others.length > 0 && text.others(others.length)} <Link href="/keys">{text.rotate}</Link>
      </p>
    </div>
  );
}

/** Lists roles, any of which grants access. */
function RequiredRoles({ roles }: { readonly roles: readonly Role[] }) {
  return (
    <>
      <p>{roles.length === 1 ? text.needs : text.needsOne}</p>
      <ul>
        {roles.map((role) => (
          <li key={role}>
            <code>{role}</code> ({roleLabel(role)})
          </li>
        ))}
      </ul>
    </>
  );
}

function MissingAccess({ me, audience }: { readonly me: Me; readonly audience: Audience }) {
  if (audience === 'holder') return <p>{text.holderOnly}</p>;
  return (
    <>
      {audience !== 'all' && <RequiredRoles roles={audience} />}
      <p>{me.salesChannel ? text.grants(me.salesChannel.name) : text.noChannel}</p>
    </>
  );
}

/** Replaces a page: names the missing role and who grants it. */
const AccessDenied = (props: { readonly me: Me; readonly audience: Audience }) => (
  <Page title={text.deniedTitle}>
    <MissingAccess {...props} />
  </Page>
);

/** Explains a 403 of the API by the current roles. */
function RefusalExplanation() {
  const { data: me } = useMe();
  const queries = useQueryClient();
  useEffect(() => void queries.invalidateQueries({ queryKey: meKey }), [queries]);
  if (!me) return null;
  if (me.salesChannel?.status === 'SUSPENDED') return <p>{text.suspended(me.salesChannel.name)}</p>;
  return (
    <>
      <p>{me.roles.length === 0 ? text.noRoles : text.ownRoles(me.roles.map(roleLabel).join('; '))}</p>
      {me.salesChannel && <p>{text.grants(me.salesChannel.name)}</p>}
    </>
  );
}

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

storeInvitation();
startApplication({ name: text.name, about: text.about, pages, Frame });
