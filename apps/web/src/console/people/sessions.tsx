import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapData } from '../../shared/api/client.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { ActionDialog, type DialogAction } from '../../shared/ui/action-dialog.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { readRequiredText } from '../../shared/ui/form-text.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { Empty, Read } from '../../shared/ui/state.tsx';
import { operations, type Schemas } from '../api.ts';
import styles from '../console.module.css';
import { Reason } from './status.tsx';
import type { User } from './users.ts';

const text = translate({
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
    name: text.program,
    cell: ({ client }) => (client === 'portal' ? text.portal : client === 'console' ? text.console : client),
  },
  { name: text.id, cell: ({ id }) => <code>{id}</code> },
  { name: text.begun, cell: ({ begunOn }) => formatDateTime(begunOn) },
  { name: text.lastUsed, cell: ({ lastUsedOn }) => formatDateTime(lastUsedOn) },
  { name: text.address, cell: ({ address }) => address },
];

const endAll = (user: User, count: number): DialogAction<Schemas['SessionList']> => ({
  title: text.endAllTitle(user.subject),
  description: text.endAllWhy(count, user),
  isIrreversible: true,
  button: text.endAll,
  look: 'danger',
  pointers: ['/reason'],
  fields: (faultAt) => <Reason fault={faultAt('/reason')} />,
  send: (form) =>
    unwrapData(
      operations.POST('/users/{userId}/end-sessions', {
        params: { path: { userId: user.id } },
        body: { reason: readRequiredText(form, 'reason') },
      }),
    ),
  changes: [sessionsKey],
  renderResult: ({ items }) => text.ended(items.length),
});

/** Lists and ends the sessions of a user. */
export function Sessions({ of: user }: { readonly of: User }) {
  const [act, setAct] = useState<DialogAction<Schemas['SessionList']>>();
  const sessions = useQuery({
    queryKey: [...sessionsKey, user.id],
    queryFn: ({ signal }) =>
      unwrapData(operations.GET('/users/{userId}/sessions', { signal, params: { path: { userId: user.id } } })),
  });
  return (
    <section>
      <h2>{text.title}</h2>
      <Read of={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{text.none}</Empty>
          ) : (
            <>
              <Table label={text.title} columns={columns} rows={items} keyOf={({ id }) => id} />
              <p className={styles['belowTable']}>
                <Button look="danger" onClick={() => setAct(endAll(user, items.length))}>
                  {text.endAll}
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
