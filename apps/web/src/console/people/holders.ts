import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { useCursorSource } from '../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../shared/ui/row-source.ts';
import { lookUp, operations, type Schemas } from '../api.ts';

export type Holder = Schemas['Holder'];

export const holdersKey = ['holders'];

export interface HolderFilters {
  /** Substring, ignoring case and accents. */
  readonly name?: string | undefined;
  readonly businessId?: string | undefined;
  readonly kind?: Holder['kind'] | undefined;
  readonly status?: Holder['status'] | undefined;
}

export const PAGE_SIZE = 100;

export const useHolders = ({ name, businessId, kind, status }: HolderFilters): RowSource<Holder> =>
  useCursorSource<Holder>({
    queryKey: [...holdersKey, name, businessId, kind, status],
    fetchPage: ({ after, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(after !== undefined && { after }),
        ...(name !== undefined && { nameContains: name }),
        ...(businessId !== undefined && { businessId }),
        ...(kind !== undefined && { kind }),
        ...(status !== undefined && { status }),
      };
      return unwrapData(operations.GET('/account-holders', { signal, params: { query } }));
    },
  });

/** Finds the business id by search, because the list filters by business id only. Null if the holder does not exist. */
export const useHolder = (accountHolderId: string): UseQueryResult<Holder | null> =>
  useQuery({
    queryKey: [...holdersKey, accountHolderId],
    async queryFn({ signal }) {
      const { found } = await lookUp(accountHolderId, signal);
      const businessId = found.find(({ kind }) => kind === 'account holder')?.facts['businessId'];
      if (businessId === undefined) return null;
      const { items } = await unwrapData(
        operations.GET('/account-holders', { signal, params: { query: { businessId } } }),
      );
      return items.find((holder) => holder.accountHolderId === accountHolderId) ?? null;
    },
  });
