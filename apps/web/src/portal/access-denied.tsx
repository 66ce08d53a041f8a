import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { translate } from '../shared/i18n/messages.ts';
import { Page } from '../shared/ui/page.tsx';
import { meKey, roleLabel, useMe, type Audience, type Me, type Role } from './me.ts';

const text = translate({
  title: 'You do not have access to this page',
  needs: 'This page requires a role that you do not have:',
  needsOne: 'This page requires one of these roles, and you have none of them:',
  grants: (channel: string) => `Role administrators of ${channel} grant roles.`,
  noChannel: 'You do not belong to a sales channel. Role administrators of a sales channel add users and grant roles.',
  holder:
    'This page is for users of an account holder, and you do not belong to one. The operators of this service assign ' +
    'users to account holders.',
  suspended: (channel: string) => `${channel} is suspended: it can be read but not changed.`,
  roles: (roles: string) => `Your roles are ${roles}.`,
  noRoles: 'You have no roles.',
});

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
  if (audience === 'holder') return <p>{text.holder}</p>;
  return (
    <>
      {audience !== 'all' && <RequiredRoles roles={audience} />}
      <p>{me.salesChannel ? text.grants(me.salesChannel.name) : text.noChannel}</p>
    </>
  );
}

/** Replaces a page: names the missing role and who grants it. */
export const AccessDenied = (props: { readonly me: Me; readonly audience: Audience }) => (
  <Page title={text.title}>
    <MissingAccess {...props} />
  </Page>
);

/** Explains a 403 of the API by the current roles. */
export function RefusalExplanation() {
  const { data: me } = useMe();
  const queries = useQueryClient();
  useEffect(() => void queries.invalidateQueries({ queryKey: meKey }), [queries]);
  if (!me) return null;
  if (me.salesChannel?.status === 'SUSPENDED') return <p>{text.suspended(me.salesChannel.name)}</p>;
  return (
    <>
      <p>{me.roles.length === 0 ? text.noRoles : text.roles(me.roles.map(roleLabel).join('; '))}</p>
      {me.salesChannel && <p>{text.grants(me.salesChannel.name)}</p>}
    </>
  );
}
