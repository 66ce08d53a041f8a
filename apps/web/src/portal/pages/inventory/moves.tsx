import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, unwrapData, unwrapPage, type Schemas } from '../../../shared/api/client.ts';
import { formatTonnes } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toApiOrder, type Sort } from '../../../shared/ui/filters.ts';
import { Field } from '../../../shared/ui/form.tsx';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { Summary } from '../../../shared/ui/toolbar.tsx';
import { useMe, hasChannelRole } from '../../me.ts';
import {
  startDraft,
  transferKinds,
  transferLabels,
  mayTransfer,
  formatBundles,
  toApiFilter,
  type TransferKind,
  type Filters,
  type Selected,
} from '../../transfers/transfers.ts';

const text = translate({
  oldestFirst: 'Volume, oldest first, t',
  oldest: (volume: string) => `${volume}, oldest first`,
  selected: (count: number, volume: string) => `${formatBundles(count)}, ${volume}`,
  nothingSelected: 'No bundles selected.',
  unselect: 'Clear selection',
});

export type Bundle = Schemas['ListableAsset'];

/** Bundles of a trader that match. @param total number of bundles, once known */
export const useBundles = (
  traderId: string,
  filters: Filters,
  sort: Sort | undefined,
  total: number | undefined,
): RowSource<Bundle> => {
  const $filter = toApiFilter(filters);
  return useRowSource<Bundle>({
    queryKey: ['inventory', traderId, 'bundles', $filter ?? null, sort ?? null],
    total,
    fetchPage({ offset, limit, signal }) {
      return unwrapPage(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory', {
          signal,
          params: {
            path: { traderId },
            query: { $limit: limit, $offset: offset, ...($filter && { $filter }), ...toApiOrder(sort) },
          },
        }),
      );
    },
  });
};

/** Facility labels with the code, which certificate ids contain. Ids for users without the role. */
export function useFacilityNames(): (facilityId: string) => string {
  const { data: me } = useMe();
  const { data } = useQuery({
    queryKey: ['facilities'],
    enabled: me !== undefined && hasChannelRole(me, 'PRODUCTIONFACILITY_VIEWER'),
    staleTime: 600_000,
    queryFn: async ({ signal }) => {
      const facilities = await unwrapData(api.GET('/saleschannel-services/v1/production-facilities', { signal }));
      return new Map(facilities.map(({ id, code, name }) => [id, `${code} ${name}`]));
    },
  });
  return (facilityId) => data?.get(facilityId) ?? facilityId;
}

export type InventorySummary = Schemas['InventorySummary'];

/** Totals of a trader's matching bundles. */
export const useInventorySummary = (traderId: string, filters: Filters): UseQueryResult<InventorySummary> => {
  const $filter = toApiFilter(filters);
  return useQuery({
    queryKey: ['inventory', traderId, 'summary', $filter ?? null],
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory/summary', {
          signal,
          params: { path: { traderId }, query: { ...($filter && { $filter }) } },
        }),
      ),
  });
};

const VOLUME = /^[1-9]\d*$/;

interface TransferBarProps {
  readonly traderId: string;
  readonly filters: Filters;
  readonly selected: Selected;
}

/** Shows the selection, or a volume of the oldest bundles, and a button for each permitted transfer. */
export function TransferBar({ traderId, filters, selected }: TransferBarProps) {
  const [, navigate] = useLocation();
  const { data: me } = useMe();
  const [typed, setTyped] = useState('');
  const volume = VOLUME.test(typed.trim()) ? typed.trim() : undefined;
  const startTransfer = (act: TransferKind): void => {
    startDraft(act, traderId);
    const source: Record<string, string> = volume === undefined ? { from: 'selected' } : { from: 'oldest', volume };
    navigate(`/channel/move/${act}?${new URLSearchParams({ ...filters, ...source })}`);
  };
  const isEmpty = volume === undefined && selected.bundles.length === 0;
  const allowed = me ? transferKinds.filter((act) => mayTransfer(me, act)) : [];
  return (
    <Summary>
      <span role="status">
        {volume !== undefined
          ? text.oldest(formatTonnes(volume))
          : isEmpty
            ? text.nothingSelected
            : text.selected(selected.bundles.length, formatTonnes(selected.volume))}
      </span>
      {selected.bundles.length > 0 && (
        <Button look="quiet" onClick={selected.clear}>
          {text.unselect}
        </Button>
      )}
      {allowed.length > 0 && (
        <Field
          label={text.oldestFirst}
          value={typed}
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {allowed.map((act) => (
        <Button key={act} disabled={isEmpty} onClick={() => startTransfer(act)}>
          {transferLabels[act]}
        </Button>
      ))}
    </Summary>
  );
}
