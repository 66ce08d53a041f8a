import { useState } from 'react';
import { Link } from 'wouter';
import { isInName } from '../../../shared/format/folded.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useCursorSource } from '../../../shared/ui/cursor-source.ts';
import { useFilters } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { ActDialog, type Act } from '../../../shared/ui/act-dialog.tsx';
import { ChannelStatusFilter } from '../../people/status-filter.tsx';
import { FilteredGrid } from '../../people/filtered-grid.tsx';
import { Standing } from '../../people/standing.tsx';
import { text as common } from '../../people/text.ts';
import { allChannels, channelsKey, shownStatus, type Channel } from '../../people/channels.ts';
import { actsOn, create } from './acts.tsx';
import { text } from './text.ts';

interface Filters {
  readonly name?: string;
  readonly status?: string;
}

/** The contract gives all of them at once, and knows no search by name. */
const useChannels = ({ name, status }: Filters): RowSource<Channel> =>
  useCursorSource<Channel>({
    queryKey: [...channelsKey, name, status],
    async fetchPage({ signal }) {
      const items = await allChannels(signal);
      return {
        items: items.filter(
          (channel) =>
            (status === undefined || shownStatus(channel) === status) &&
            (name === undefined || isInName(name, channel.name) || channel.id === name),
        ),
        next: null,
      };
    },
  });

const columnsFor = (act: (act: Act<Channel>) => void): readonly Column<Channel>[] => [
  { key: 'name', name: text.name, width: 'minmax(12rem, 3fr)', cell: ({ name }) => name },
  { key: 'status', name: common.status, width: 'minmax(7rem, 1fr)', cell: (channel) => <Standing of={channel} /> },
  { key: 'id', name: text.id, width: '15rem', isMono: true, cell: ({ id }) => id },
  {
    key: 'users',
    name: text.users,
    width: '4rem',
    cell: ({ id, name }) => (
      <Link href={`/users?${new URLSearchParams({ channel: id })}`} aria-label={text.usersOf(name)}>
        {text.users}
      </Link>
    ),
  },
  {
    key: 'act',
    name: text.act,
    width: '12rem',
    cell: (channel) =>
      actsOn(channel).map((each) => (
        <Button key={each.title} look="quiet" aria-label={each.title} onClick={() => act(each)}>
          {each.button}
        </Button>
      )),
  },
];

export default function ChannelsPage() {
  const [filters, setFilter, clear] = useFilters(['name', 'status']);
  const [act, setAct] = useState<Act<Channel>>();
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
        columns={columnsFor(setAct)}
        source={source}
        empty={text.empty}
        onClear={clear}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </Page>
  );
}
