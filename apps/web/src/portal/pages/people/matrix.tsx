import { useState } from 'react';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure } from '../../../shared/ui/state.tsx';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { roles, roleLabel, type Me } from '../../me.ts';
import styles from '../../portal.module.css';
import {
  personName,
  findPeople,
  SHOWN_AT_MOST,
  useChangeRole,
  useUnbind,
  type ChannelUser,
  type RoleChange,
} from './people.ts';

const text = translate({
  users: 'Users and their roles',
  filters: 'Filters',
  find: 'Name or email contains',
  name: 'Name',
  lastSeen: 'Last seen, UTC',
  never: 'never',
  you: 'you',
  roleOf: (role: string, name: string) => `${role}: ${name}`,
  change: 'Change',
  nobody: 'No matching users.',
  shown: (shown: number, all: number) =>
    `Showing the first ${shown} of ${all}. Type more of the name to narrow the list.`,
  unbind: 'Remove',
  unbindTitle: (name: string) => `Remove ${name} from the sales channel`,
  unbindWhy: 'The user loses all roles and all access within seconds, including access with their API keys.',
  ownTitle: 'Give up your role as role administrator?',
  ownWhy: 'You cannot take the role back yourself: another role administrator has to grant it.',
  ownDo: 'Give up role',
});

interface RemoveUserProps {
  readonly person: ChannelUser;
  readonly salesChannelId: string;
  onClose(): void;
}

function RemoveUserDialog({ person, salesChannelId, onClose }: RemoveUserProps) {
  const unbinding = useUnbind(salesChannelId);
  const title = text.unbindTitle(personName(person));
  return (
    <ConfirmDialog
      title={title}
      look="danger"
      button={title}
      change={unbinding}
      onConfirm={() => unbinding.mutate(person.userId, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text.unbindWhy}</p>
    </ConfirmDialog>
  );
}

interface Cells {
  readonly me: Me;
  /** The change in progress. */
  readonly pending: RoleChange | undefined;
  change(change: RoleChange): void;
  unbind(person: ChannelUser): void;
}

const buildColumns = ({ me, pending, change, unbind }: Cells): TableColumn<ChannelUser>[] => [
  {
    name: text.name,
    cell: (person) => (
      <span className={styles['person']}>
        <span>
          {personName(person)} {person.userId === me.userId && `(${text.you})`}
        </span>
        <span className={styles['aside']}>{person.email ?? person.subject}</span>
      </span>
    ),
  },
  ...roles.map((role) => ({
    name: roleLabel(role),
    cell(person: ChannelUser) {
      const { userId } = person;
      const isPending = pending?.userId === userId && pending.role === role;
      return (
        <input
          type="checkbox"
          aria-label={text.roleOf(roleLabel(role), personName(person))}
          checked={isPending ? pending.isGranted : person.roles.includes(role)}
          disabled={isPending}
          onChange={({ target }) => change({ userId, role, isGranted: target.checked })}
        />
      );
    },
  })),
  { name: text.lastSeen, cell: ({ lastSeenOn }) => (lastSeenOn === null ? text.never : formatDateTime(lastSeenOn)) },
  {
    name: text.change,
    cell: (person) => (
      <Button look="quiet" aria-label={text.unbindTitle(personName(person))} onClick={() => unbind(person)}>
        {text.unbind}
      </Button>
    ),
  },
];

interface MatrixProps {
  readonly people: readonly ChannelUser[];
  readonly me: Me;
  readonly salesChannelId: string;
}

/** Users and their roles. A change applies immediately, and everywhere within seconds. */
export function Matrix({ people, me, salesChannelId }: MatrixProps) {
  const [search, setSearch] = useState<string>();
  const [removed, setRemoved] = useState<ChannelUser>();
  const [givenUp, setGivenUp] = useState<RoleChange>();
  const changing = useChangeRole(salesChannelId);
  const found = findPeople(people, search);
  const change = (requested: RoleChange): void => {
    const isOwn = requested.userId === me.userId && requested.role === 'ROLE_ADMINISTRATOR' && !requested.isGranted;
    if (isOwn) setGivenUp(requested);
    else changing.mutate(requested);
  };
  const giveUp = (): void => {
    if (givenUp) changing.mutate(givenUp);
    setGivenUp(undefined);
  };
  const pending = changing.isPending ? changing.variables : undefined;
  return (
    <>
      <Toolbar label={text.filters}>
        <TextFilter label={text.find} value={search} onChange={setSearch} />
      </Toolbar>
      {changing.error && <Failure error={changing.error} />}
      {found.length === 0 ? (
        <Empty>{text.nobody}</Empty>
      ) : (
        <div className={styles['matrix']}>
          <Table
            label={text.users}
            columns={buildColumns({ me, pending, change, unbind: setRemoved })}
            rows={found.slice(0, SHOWN_AT_MOST)}
            keyOf={({ userId }) => userId}
          />
        </div>
      )}
      {found.length > SHOWN_AT_MOST && <p>{text.shown(SHOWN_AT_MOST, found.length)}</p>}
      {removed && (
        <RemoveUserDialog person={removed} salesChannelId={salesChannelId} onClose={() => setRemoved(undefined)} />
      )}
      {givenUp && (
        <ConfirmDialog
          title={text.ownTitle}
          look="danger"
          button={text.ownDo}
          onConfirm={giveUp}
          onClose={() => setGivenUp(undefined)}
        >
          <p>{text.ownWhy}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
