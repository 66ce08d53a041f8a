import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatDateTime } from '../../../shared/format/time.ts';
import { ActionDialog } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { SelectFilter, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { createHolder, text, useHolders, type Holder, type HolderFilters } from '../../people/holders.tsx';
import { SuspensionStatus, StatusFilter, text as common } from '../../people/suspension.tsx';

const pathOf = (id: string): string => `/holders/${encodeURIComponent(id)}`;

const columns: readonly Column<Holder>[] = [
  {
    name: text.name,
    width: 'minmax(12rem, 1fr)',
    cell: ({ name, accountHolderId }) => <Link href={pathOf(accountHolderId)}>{name}</Link>,
  },
  { name: text.businessId, width: '10rem', cell: ({ businessId }) => businessId },
  { name: text.kind, width: '5rem', cell: ({ kind }) => text[kind] },
  { name: common.status, width: 'minmax(10rem, 1fr)', cell: (holder) => <SuspensionStatus of={holder} /> },
  { name: text.registered, width: '9rem', cell: ({ registeredOn }) => formatDateTime(registeredOn) },
  { name: text.id, width: '15rem', isMono: true, cell: ({ accountHolderId }) => accountHolderId },
];

const kinds = [
  ['HOLDER', text.HOLDER],
  ['REGISTRY', text.REGISTRY],
] as const;

export default function HoldersPage() {
  const [filters, setFilter, clear] = useFilters(['name', 'businessId', 'kind', 'status']);
  const [isCreating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  // The service reports invalid filter values itself.
  const source = useHolders(filters as HolderFilters);
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
        <TextFilter label={text.nameContains} value={filters.name} onChange={(name) => setFilter('name', name)} />
        <TextFilter
          label={text.businessId}
          value={filters.businessId}
          onChange={(businessId) => setFilter('businessId', businessId)}
        />
        <SelectFilter
          label={text.kind}
          options={kinds}
          value={filters.kind}
          onChoose={(kind) => setFilter('kind', kind)}
        />
        <StatusFilter value={filters.status} onChoose={(status) => setFilter('status', status)} />
      </Toolbar>
      <FilteredGrid
        filters={filters}
        label={text.title}
        columns={columns}
        source={source}
        onOpen={({ accountHolderId }) => navigate(pathOf(accountHolderId))}
        empty={text.empty}
        onClear={clear}
      />
      {isCreating && <ActionDialog act={createHolder} onClose={() => setCreating(false)} />}
    </Page>
  );
}
