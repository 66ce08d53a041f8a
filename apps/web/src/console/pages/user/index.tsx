import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { unwrapData } from '../../../shared/api/client.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { operations, type Schemas } from '../../api.ts';
import styles from '../../console.module.css';
import { Keys } from '../../people/keys.tsx';
import { readReason, withReason } from '../../people/suspension.tsx';
import { listUserActions, UserStatus } from '../../people/user-actions.tsx';
import { useBinding, useUser, text, type Binding, type User } from '../../people/users.ts';

const sessionText = translate({
  title: 'Sessions',
  id: 'Session',
  program: 'Signed in to',
  portal: 'Portal',
  console: 'Console',
  begun: 'Signed in, UTC',
  lastUsed: 'Last used, UTC',
  address: 'From',
  none: 'The user is not signed in.',
  endAll: 'End all sessions',
  endAllTitle: (subject: string) => `End all sessions of ${subject}`,
  endAllWhy: (count: number, { id, subject }: User) =>
    `${count === 1 ? '1 session' : `${count} sessions`} of ${subject} (${id}) end within five seconds, in the portal ` +
    'and in the console. Keys keep working.',
  ended: (count: number) => (count === 1 ? '1 session was ended.' : `${count} sessions were ended.`),
});

type Session = Schemas['Session'];

const sessionsKey = ['sessions'];

const columns: readonly TableColumn<Session>[] = [
  {
    name: sessionText.program,
    cell: ({ client }) =>
      client === 'portal' ? sessionText.portal : client === 'console' ? sessionText.console : client,
  },
  { name: sessionText.id, cell: ({ id }) => <code>{id}</code> },
  { name: sessionText.begun, cell: ({ begunOn }) => formatDateTime(begunOn) },
  { name: sessionText.lastUsed, cell: ({ lastUsedOn }) => formatDateTime(lastUsedOn) },
  { name: sessionText.address, cell: ({ address }) => address },
];

const endAll = (user: User, count: number): DialogAction<Schemas['SessionList']> => ({
  title: sessionText.endAllTitle(user.subject),
  description: sessionText.endAllWhy(count, user),
  isIrreversible: true,
  button: sessionText.endAll,
  look: 'danger',
  ...withReason(),
  send: (form) =>
    unwrapData(
      operations.POST('/users/{userId}/end-sessions', {
        params: { path: { userId: user.id } },
        body: readReason(form),
      }),
    ),
  changes: [sessionsKey],
  renderResult: ({ items }) => sessionText.ended(items.length),
});

/** Lists and ends the sessions of a user. */
function Sessions({ of: user }: { readonly of: User }) {
  const [act, setAct] = useState<DialogAction<Schemas['SessionList']>>();
  const sessions = useQuery({
    queryKey: [...sessionsKey, user.id],
    queryFn: ({ signal }) =>
      unwrapData(operations.GET('/users/{userId}/sessions', { signal, params: { path: { userId: user.id } } })),
  });
  return (
    <section>
      <h2>{sessionText.title}</h2>
      <Read of={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{sessionText.none}</Empty>
          ) : (
            <>
              <Table label={sessionText.title} columns={columns} rows={items} keyOf={({ id }) => id} />
              <p className={styles['belowTable']}>
                <Button look="danger" onClick={() => setAct(endAll(user, items.length))}>
                  {sessionText.endAll}
                </Button>
              </p>
            </>
          )
        }
      </Read>
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </section>
  );
}

function Details({ user, binding }: { readonly user: User; readonly binding: Binding | null }) {
  const { id, accountHolderId } = user;
  const channel = binding?.salesChannelId;
  return (
    <>
      <Facts
        of={[
          [text.status, <UserStatus key="status" of={user} />],
          [text.id, <code key="id">{id}</code>],
          [text.issuer, user.issuer],
          [
            text.holder,
            accountHolderId === null ? (
              text.noHolder
            ) : (
              <Link key="holder" href={`/holders/${encodeURIComponent(accountHolderId)}`}>
                <code>{accountHolderId}</code>
              </Link>
            ),
          ],
          [
            text.channel,
            channel === undefined ? (
              text.noChannel
            ) : (
              <Link key="channel" href={`/channels?${new URLSearchParams({ name: channel })}`}>
                <code>{channel}</code>
              </Link>
            ),
          ],
          [text.roles, binding && (binding.roles.length === 0 ? text.noRoles : binding.roles.toSorted().join(', '))],
        ]}
      />
      <Sessions of={user} />
      <Keys of={{ userId: id }} />
    </>
  );
}

export default function UserPage({ parameters }: PageProps) {
  const userId = parameters['id'] ?? 'none';
  const user = useUser(userId);
  const binding = useBinding(userId);
  const [act, setAct] = useState<DialogAction<unknown>>();
  const acts = user.data && binding.data !== undefined ? listUserActions(user.data, binding.data) : [];
  return (
    <Page
      title={user.data?.subject ?? text.one}
      actions={
        <>
          <Link href="/users">{text.all}</Link>
          {acts.map((each) => (
            <Button key={each.title} look={each.look} onClick={() => setAct(each)}>
              {each.button}
            </Button>
          ))}
        </>
      }
    >
      {binding.error !== null && <Failure error={binding.error} onRetry={() => void binding.refetch()} />}
      <Read of={user}>
        {(found) => (found ? <Details user={found} binding={binding.data ?? null} /> : <Empty>{text.none}</Empty>)}
      </Read>
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </Page>
  );
}
