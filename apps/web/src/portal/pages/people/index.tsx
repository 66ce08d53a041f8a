import { useState } from 'react';
import { Link } from 'wouter';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { Page, Status, Table, type TableColumn, type Tone } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { roleLabel, useMe, type Me } from '../../me.ts';
import { InviteUser, AddUser } from './add-user.tsx';
import { Matrix } from './matrix.tsx';
import { loadPeopleCsv, useInvitations, usePeople, useRevoke, type Invitation } from './people.ts';

const text = translate({
  title: 'People',
  users: 'Users and their roles',
  invite: 'Invite user',
  roles: 'Roles',
  addUser: 'Add user',
  invitations: 'Invitations',
  noInvitations: 'No invitations in the last 30 days.',
  forWhom: 'For',
  anybody: 'anyone with the link',
  created: 'Created, UTC',
  expires: 'Expires, UTC',
  status: 'Status',
  revoke: 'Revoke',
  revokeOf: (whom: string, time: string) => `Revoke the invitation of ${time} for ${whom}`,
  revokeWhy: 'The link stops working. This cannot be undone.',
  audit: 'Audit trail',
  PENDING: 'pending',
  ACCEPTED: 'accepted',
  REVOKED: 'revoked',
  EXPIRED: 'expired',
});

const tones: Readonly<Partial<Record<Invitation['status'], Tone>>> = { PENDING: 'wait', ACCEPTED: 'ok' };

const formatTitle = ({ email, createdOn }: Invitation): string =>
  text.revokeOf(email ?? text.anybody, formatDateTime(createdOn));

const buildColumns = (revoke: (invitation: Invitation) => void): TableColumn<Invitation>[] => [
  { name: text.forWhom, cell: ({ email }) => email ?? text.anybody },
  { name: text.roles, cell: ({ roles }) => roles.map(roleLabel).join('; ') },
  { name: text.created, cell: ({ createdOn }) => formatDateTime(createdOn) },
  { name: text.expires, cell: ({ expiresAt }) => formatDateTime(expiresAt) },
  { name: text.status, cell: ({ status }) => <Status tone={tones[status]}>{text[status]}</Status> },
  {
    name: text.revoke,
    cell: (invitation) =>
      invitation.status === 'PENDING' && (
        <Button look="quiet" aria-label={formatTitle(invitation)} onClick={() => revoke(invitation)}>
          {text.revoke}
        </Button>
      ),
  },
];

function Revoke({ invitation, onClose }: { readonly invitation: Invitation; onClose(): void }) {
  const revocation = useRevoke();
  return (
    <ConfirmDialog
      title={formatTitle(invitation)}
      look="danger"
      button={text.revoke}
      change={revocation}
      onConfirm={() => revocation.mutate(invitation.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text.revokeWhy}</p>
    </ConfirmDialog>
  );
}

function Invitations() {
  const [revoked, setRevoked] = useState<Invitation>();
  return (
    <section>
      <h2>{text.invitations}</h2>
      <Read of={useInvitations()}>
        {(rows) => (
          <Table
            label={text.invitations}
            columns={buildColumns(setRevoked)}
            rows={rows}
            keyOf={({ id }) => id}
            empty={text.noInvitations}
          />
        )}
      </Read>
      {revoked && <Revoke invitation={revoked} onClose={() => setRevoked(undefined)} />}
    </section>
  );
}

type Opened = 'invite' | 'add-user';

function People({ me, salesChannelId }: { readonly me: Me; readonly salesChannelId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  return (
    <Page
      title={text.title}
      actions={
        <>
          <Csv label={text.users} name="users" load={loadPeopleCsv} />
          <Button onClick={() => setOpened('add-user')}>{text.addUser}</Button>
          <Button look="primary" onClick={() => setOpened('invite')}>
            {text.invite}
          </Button>
        </>
      }
    >
      <Read of={usePeople()}>{(people) => <Matrix people={people} me={me} salesChannelId={salesChannelId} />}</Read>
      <Invitations />
      <p>
        <Link href="/channel/audit">{text.audit}</Link>
      </p>
      {opened === 'invite' && <InviteUser onClose={close} />}
      {opened === 'add-user' && <AddUser salesChannelId={salesChannelId} issuer={me.issuer} onClose={close} />}
    </Page>
  );
}

export default function PeoplePage() {
  const { data: me } = useMe();
  return me && <People me={me} salesChannelId={me.salesChannel?.id ?? 'none'} />;
}
