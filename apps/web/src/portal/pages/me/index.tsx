import { translate } from '../../../shared/i18n/messages.ts';
import { Copy } from '../../../shared/ui/secret.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { useMe, type Me } from '../../me.ts';
import { Sessions } from './sessions.tsx';

const text = translate({
  title: 'You',
  name: 'Name',
  email: 'Email address',
  userId: 'User id',
  forColleagues: 'A role administrator of a sales channel needs your user id to add you.',
  subject: 'Name at the identity provider',
  issuer: 'Identity provider',
  channel: 'Sales channel',
  holder: 'Account holder',
  roles: 'Roles',
  none: 'none',
  suspended: 'suspended: it can be read but not changed',
});

type Membership = { readonly name: string; readonly id: string; readonly status: string } | null;

function describeMembership(membership: Membership) {
  if (membership === null) return text.none;
  return (
    <>
      {membership.name} <code>{membership.id}</code>
      {membership.status === 'SUSPENDED' && <> ({text.suspended})</>}
    </>
  );
}

function Details({ me }: { readonly me: Me }) {
  return (
    <>
      <Facts
        of={[
          [text.name, me.name],
          [text.email, me.email],
          [
            text.userId,
            <span key="id">
              <code>{me.userId}</code> <Copy value={me.userId} />
            </span>,
          ],
          [text.subject, me.subject],
          [text.issuer, me.issuer],
          [text.channel, describeMembership(me.salesChannel)],
          [text.roles, me.roles.length === 0 ? text.none : me.roles.toSorted().join(', ')],
          [text.holder, describeMembership(me.accountHolder)],
        ]}
      />
      {me.salesChannel === null && <p>{text.forColleagues}</p>}
    </>
  );
}

export default function MePage() {
  return (
    <Page title={text.title}>
      <Read of={useMe()}>{(me) => <Details me={me} />}</Read>
      <Sessions />
    </Page>
  );
}
