import { useState } from 'react';
import { Link } from 'wouter';
import { unwrapData } from '../../../shared/api/client.ts';
import { isInName } from '../../../shared/format/folded.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { readRequiredText } from '../../../shared/ui/form-text.ts';
import { Field } from '../../../shared/ui/form.tsx';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { useCursorSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { operations, fetchChannels, channelsKey, channelStatus, type Channel } from '../../api.ts';
import {
  Affected,
  ChannelStatusFilter,
  Reason,
  readReason,
  withReason,
  SuspensionStatus,
  text as common,
} from '../../people/suspension.tsx';

const text = translate({
  title: 'Sales channels',
  name: 'Name',
  id: 'Sales channel',
  users: 'Users',
  usersOf: (name: string) => `Users of ${name}`,
  act: 'Action',
  search: 'Name or id',
  create: 'Create sales channel',
  createWhy: 'The name must be unique among sales channels.',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  renameWhy: (id: string) => `Only the name of the sales channel ${id} changes.`,
  suspendTitle: (name: string) => `Suspend ${name}`,
  suspendWhy:
    'The sales channel can be read but not changed. Transactions that wait for approval stay pending. You can resume ' +
    'the sales channel later.',
  resumeTitle: (name: string) => `Resume ${name}`,
  resumeWhy: 'Users can change the sales channel again, according to their roles.',
  close: 'Close',
  closeTitle: (name: string) => `Close ${name}`,
  closeWhy:
    'The sales channel is closed permanently: its users are removed, its open invitations are revoked, and its name ' +
    'stays taken. API keys of its users no longer work there. A sales channel with open work cannot be ' +
    'closed: resume it first to finish the work.',
  empty: 'There are no sales channels yet.',
});

const changes = [channelsKey];

const create: DialogAction<Channel> = {
  title: text.create,
  description: text.createWhy,
  button: text.create,
  pointers: ['/name'],
  fields: (faultAt) => <Field label={text.name} name="name" required maxLength={200} fault={faultAt('/name')} />,
  send: (form) => unwrapData(operations.POST('/sales-channels', { body: { name: readRequiredText(form, 'name') } })),
  changes,
};

const rename = ({ id, name }: Channel): DialogAction<Channel> => ({
  title: text.renameTitle(name),
  description: text.renameWhy(id),
  button: text.rename,
  pointers: ['/name', '/reason'],
  fields: (faultAt) => (
    <>
      <Affected scope={{ salesChannelId: id }} />
      <Field label={text.name} name="name" required maxLength={200} defaultValue={name} fault={faultAt('/name')} />
      <Reason fault={faultAt('/reason')} />
    </>
  ),
  send: (form) =>
    unwrapData(
      operations.POST('/sales-channels/{salesChannelId}/rename', {
        params: { path: { salesChannelId: id } },
        body: { name: readRequiredText(form, 'name'), ...readReason(form) },
      }),
    ),
  changes,
});

const suspend = ({ id, name }: Channel): DialogAction<Channel> => ({
  title: text.suspendTitle(name),
  description: text.suspendWhy,
  button: common.suspend,
  look: 'danger',
  ...withReason(<Affected scope={{ salesChannelId: id }} />),
  send: (form) =>
    unwrapData(
      operations.POST('/sales-channels/{salesChannelId}/suspend', {
        params: { path: { salesChannelId: id } },
        body: readReason(form),
      }),
    ),
  changes,
});

const resume = ({ id, name }: Channel): DialogAction<Channel> => ({
  title: text.resumeTitle(name),
  description: text.resumeWhy,
  button: common.resume,
  fields: () => <Affected scope={{ salesChannelId: id }} />,
  send: () =>
    unwrapData(
      operations.POST('/sales-channels/{salesChannelId}/resume', { params: { path: { salesChannelId: id } } }),
    ),
  changes,
});

const close = ({ id, name }: Channel): DialogAction<Channel> => ({
  title: text.closeTitle(name),
  description: text.closeWhy,
  isIrreversible: true,
  button: text.close,
  look: 'danger',
  ...withReason(<Affected scope={{ salesChannelId: id }} />),
  send: (form) =>
    unwrapData(
      operations.POST('/sales-channels/{salesChannelId}/close', {
        params: { path: { salesChannelId: id } },
        body: readReason(form),
      }),
    ),
  changes,
});

/** Actions available for a sales channel in its current state. */
function actionsFor(channel: Channel): readonly DialogAction<Channel>[] {
  if (channel.closedAt !== null) return [];
  if (channel.status === 'ACTIVE') return [rename(channel), suspend(channel)];
  return [rename(channel), resume(channel), close(channel)];
}

interface Filters {
  readonly name?: string;
  readonly status?: string;
}

/** The API returns all sales channels at once and has no search by name. */
const useChannels = ({ name, status }: Filters): RowSource<Channel> =>
  useCursorSource<Channel>({
    queryKey: [...channelsKey, name, status],
    async fetchPage({ signal }) {
      const items = await fetchChannels(signal);
      return {
        items: items.filter(
          (channel) =>
            (status === undefined || channelStatus(channel) === status) &&
            (name === undefined || isInName(name, channel.name) || channel.id === name),
        ),
        next: null,
      };
    },
  });

const buildColumns = (act: (act: DialogAction<Channel>) => void): readonly Column<Channel>[] => [
  { name: text.name, width: 'minmax(12rem, 3fr)', cell: ({ name }) => name },
  { name: common.status, width: 'minmax(7rem, 1fr)', cell: (channel) => <SuspensionStatus of={channel} /> },
  { name: text.id, width: '15rem', isMono: true, cell: ({ id }) => id },
  {
    name: text.users,
    width: '4rem',
    cell: ({ id, name }) => (
      <Link href={`/users?${new URLSearchParams({ channel: id })}`} aria-label={text.usersOf(name)}>
        {text.users}
      </Link>
    ),
  },
  {
    name: text.act,
    width: '12rem',
    cell: (channel) =>
      actionsFor(channel).map((each) => (
        <Button key={each.title} look="quiet" aria-label={each.title} onClick={() => act(each)}>
          {each.button}
        </Button>
      )),
  },
];

export default function ChannelsPage() {
  const [filters, setFilter, clear] = useFilters(['name', 'status']);
  const [act, setAct] = useState<DialogAction<Channel>>();
  const source = useChannels(filters);
  return (
    <Page
      title={text.title}
      actions={
        <Button look="primary" onClick={() => setAct(create)}>
          {text.create}
        </Button>
      }
    >
      <Toolbar label={common.filters}>
        <TextFilter label={text.search} value={filters.name} onChange={(name) => setFilter('name', name)} />
        <ChannelStatusFilter value={filters.status} onChoose={(status) => setFilter('status', status)} />
      </Toolbar>
      <FilteredGrid
        filters={filters}
        label={text.title}
        columns={buildColumns(setAct)}
        source={source}
        empty={text.empty}
        onClear={clear}
      />
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </Page>
  );
}
