import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ActionDialog } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { SelectFilter, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { text as common } from '../../people/suspension.tsx';
import { createUser, UserStatus } from '../../people/user-actions.tsx';
import { useBindings, useUsers, text, type Binding, type User, type UserFilters } from '../../people/users.ts';

const pathOf = (id: string): string => `/users/${encodeURIComponent(id)}`;

const userColumns: readonly Column<User>[] = [
  {
    name: text.subject,
    width: 'minmax(11rem, 1fr)',
    cell: ({ id, subject }) => <Link href={pathOf(id)}>{subject}</Link>,
  },
  { name: text.status, width: 'minmax(8rem, 1fr)', cell: (user) => <UserStatus of={user} /> },
  { name: text.id, width: '13.5rem', isMono: true, cell: ({ id }) => id },
  { name: text.holder, width: '13.5rem', isMono: true, cell: ({ accountHolderId }) => accountHolderId },
  { name: text.issuer, width: 'minmax(11rem, 1fr)', cell: ({ issuer }) => issuer },
];

const bindingColumns: readonly Column<Binding>[] = [
  { name: text.id, width: '15rem', isMono: true, cell: ({ userId }) => <Link href={pathOf(userId)}>{userId}</Link> },
  {
    name: text.roles,
    width: 'minmax(20rem, 1fr)',
    cell: ({ roles }) => (roles.length === 0 ? text.noRoles : roles.toSorted().join(', ')),
  },
];

const statuses = [
  ['false', text.enabled],
  ['true', text.disabled],
] as const;

function AllUsers({ filters, onClear }: { readonly filters: UserFilters; onClear(): void }) {
  const [, navigate] = useLocation();
  const source = useUsers(filters);
  return (
    <FilteredGrid
      filters={filters}
      label={text.title}
      columns={userColumns}
      source={source}
      onOpen={({ id }) => navigate(pathOf(id))}
      empty={text.empty}
      onClear={onClear}
    />
  );
}

function UsersOfChannel({ channel }: { readonly channel: string }) {
  const [, navigate] = useLocation();
  const source = useBindings(channel);
  return (
    <Grid
      label={text.title}
      columns={bindingColumns}
      source={source}
      onOpen={({ userId }) => navigate(pathOf(userId))}
      empty={<Empty>{text.nobodyOfChannel}</Empty>}
    />
  );
}

export default function UsersPage() {
  const [{ channel, ...filters }, setFilter, clear] = useFilters(['channel', 'subject', 'holder', 'disabled']);
  const [isCreating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  return (
    <Page
      title={text.title}
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {text.create}
        </Button>
      }
    >
      <Toolbar label={common.filters}>
        <TextFilter label={text.channel} value={channel} onChange={(value) => setFilter('channel', value)} />
        {/* The API lists users of a sales channel by role and combines this with no other filter. */}
        {channel === undefined && (
          <>
            <TextFilter
              label={text.subjectContains}
              value={filters.subject}
              onChange={(value) => setFilter('subject', value)}
            />
            <TextFilter label={text.holder} value={filters.holder} onChange={(value) => setFilter('holder', value)} />
            <SelectFilter
              label={text.status}
              options={statuses}
              value={filters.disabled}
              onChoose={(value) => setFilter('disabled', value)}
            />
          </>
        )}
      </Toolbar>
      {channel === undefined ? (
        <AllUsers filters={filters} onClear={clear} />
      ) : (
        <UsersOfChannel key={channel} channel={channel} />
      )}
      {isCreating && (
        <ActionDialog act={createUser(({ id }) => navigate(pathOf(id)))} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}
