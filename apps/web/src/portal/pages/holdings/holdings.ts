import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapResponse, api, asCsv, unwrapData, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { sumVolumes } from '../../../shared/format/serials.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { toApiOrder, type Sort } from '../../../shared/ui/sorting.ts';
import { toQuery, holdingsKey, type Filters } from '../../holder/holding-filter.ts';
import { transactionsKey, type HolderTransaction } from '../../holder/transactions.ts';

export type Holding = Schemas['Holding'];

/** Holdings of the account holder that match. */
export const useHoldings = (filters: Filters, sort: Sort | undefined): RowSource<Holding> =>
  useRowSource<Holding>({
    queryKey: [...holdingsKey, 'list', toQuery(filters), sort ?? null],
    async fetchPage({ offset, limit, signal }) {
      const query = { ...toQuery(filters), ...toApiOrder(sort), $limit: limit, $offset: offset };
      const { data, headers } = await unwrapResponse(
        api.GET('/account-portal/holdings', { signal, params: { query } }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });

export const loadCsv = (filters: Filters): Promise<Blob> =>
  unwrapData(api.GET('/account-portal/holdings', { ...asCsv, params: { query: toQuery(filters) } }));

/** Whether a bundle can be listed: it is on no sales channel. */
export const canBeListed = ({ state }: Pick<Holding, 'state'>): boolean =>
  state === 'UNLISTED' || state === 'OFFRAMPED';

export function useOnramp(): UseMutationResult<HolderTransaction, Error, Schemas['OnrampRequest']> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (body: Schemas['OnrampRequest']) => unwrapData(api.POST('/account-portal/onramps', { body })),
    onSuccess: () =>
      Promise.all([holdingsKey, transactionsKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

type Range = Pick<Holding, 'start' | 'end' | 'volume'>;

export interface Selected {
  readonly ranges: readonly Range[];
  readonly volume: bigint;
  has(range: Range): boolean;
  toggle(range: Range): void;
  clear(): void;
}

/** Selected bundles, which survive changes of the list. */
export function useSelected(): Selected {
  const [ranges, setRanges] = useState<ReadonlyMap<string, Range>>(new Map());
  return {
    ranges: [...ranges.values()],
    volume: sumVolumes([...ranges.values()].map(({ volume }) => volume)),
    has: ({ start }) => ranges.has(start),
    toggle({ start, end, volume }) {
      const next = new Map(ranges);
      if (!next.delete(start)) next.set(start, { start, end, volume });
      setRanges(next);
    },
    clear: () => setRanges(new Map()),
  };
}
