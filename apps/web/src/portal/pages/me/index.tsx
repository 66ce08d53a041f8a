import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Copy, Facts, Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { useMe, type Me } from '../../me.ts';

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
  sessions: 'Active sessions',
  about: 'A session ends when you sign out, after 30 minutes without use, and after twelve hours at the latest.',
  program: 'Signed in to',
  portal: 'Portal',
  console: 'Operator console',
  begun: 'Signed in, UTC',
  lastUsed: 'Last used, UTC',
  address: 'From',
  unknown: 'unknown',
  act: 'Action',
  current: 'This session',
  signOut: 'Sign out',
  signOutOf: (program: string, begun: string) => `Sign out of ${program}, signed in ${begun}`,
  signOutWhy: 'The session ends within five seconds. Its user has to sign in again.',
  everywhereElse: 'Sign out everywhere else',
  everywhereElseWhy:
    'All your other sessions end within five seconds. API keys keep working: delete them on the Keys page.',
  ended: (count: number) => (count === 1 ? '1 session was ended.' : `${count} sessions were ended.`),
});

type Session = Schemas['Session'];

const sessionsKey = ['sessions'];

const useSessions = (): UseQueryResult<Session[]> =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => unwrapData(api.GET('/account-portal/me/sessions', { signal })),
  });

const programLabel = ({ client }: Session): string =>
  client === 'portal' ? text.portal : client === 'console' ? text.console : client;

const end = (session: Session): DialogAction<unknown> => ({
  title: text.signOutOf(programLabel(session), formatDateTime(session.begunOn)),
  description: text.signOutWhy,
  button: text.signOut,
  look: 'danger',
  send: () =>
    unwrapData(api.DELETE('/account-portal/me/sessions/{sessionId}', { params: { path: { sessionId: session.id } } })),
  changes: [sessionsKey],
});

const endOthers: DialogAction<Session[]> = {
  title: text.everywhereElse,
  description: text.everywhereElseWhy,
  button: text.everywhereElse,
  look: 'danger',
  send: () => unwrapData(api.DELETE('/account-portal/me/sessions', { params: { query: { others: true } } })),
  changes: [sessionsKey],
  renderResult: (ended) => text.ended(ended.length),
};

const buildColumns = (ask: (session: Session) => void): TableColumn<Session>[] => [
  { name: text.program, cell: programLabel },
  { name: text.begun, cell: ({ begunOn }) => formatDateTime(begunOn) },
  { name: text.lastUsed, cell: ({ lastUsedOn }) => formatDateTime(lastUsedOn) },
  { name: text.address, cell: ({ address }) => address ?? text.unknown, ifWide: true },
  {
    name: text.act,
    cell: (session) =>
      session.current ? (
        text.current
      ) : (
        <Button look="quiet" aria-label={end(session).title} onClick={() => ask(session)}>
          {text.signOut}
        </Button>
      ),
  },
];

/** Own sessions. The account menu ends the current session. */
function Sessions() {
  const sessions = useSessions();
  const [isEndingOthers, setEndingOthers] = useState(false);
  const [ending, setEnding] = useState<Session>();
  return (
    <section>
      <h2>{text.sessions}</h2>
      <p>{text.about}</p>
      <Read of={sessions}>
        {(rows) => (
          <>
            <Table label={text.sessions} columns={buildColumns(setEnding)} rows={rows} keyOf={({ id }) => id} />
            {rows.some(({ current }) => !current) && (
              <p>
                <Button look="danger" onClick={() => setEndingOthers(true)}>
                  {text.everywhereElse}
                </Button>
              </p>
            )}
          </>
        )}
      </Read>
      {ending && <ActionDialog act={end(ending)} onClose={() => setEnding(undefined)} />}
      {isEndingOthers && <ActionDialog act={endOthers} onClose={() => setEndingOthers(false)} />}
    </section>
  );
}

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
