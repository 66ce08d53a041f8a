import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { useCursorSource } from '../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../shared/ui/row-source.ts';
import { lookUp, operations, type Schemas } from '../api.ts';
import { PAGE_SIZE } from './holders.ts';

export type User = Schemas['User'];
export type Binding = Schemas['Binding'];

export const usersKey = ['users'];
export const bindingsKey = ['bindings'];

export interface UserFilters {
  /** Substring, ignoring case and accents. */
  readonly subject?: string | undefined;
  readonly holder?: string | undefined;
  readonly disabled?: string | undefined;
}

export const useUsers = ({ subject, holder, disabled }: UserFilters): RowSource<User> =>
  useCursorSource<User>({
    queryKey: [...usersKey, subject, holder, disabled],
    fetchPage: ({ after, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(after !== undefined && { after }),
        ...(subject !== undefined && { subjectContains: subject }),
        ...(holder !== undefined && { accountHolderId: holder }),
        ...(disabled !== undefined && { disabled: disabled === 'true' }),
      };
      return unwrapData(operations.GET('/users', { signal, params: { query } }));
    },
  });

export const useBindings = (salesChannelId: string): RowSource<Binding> =>
  useCursorSource<Binding>({
    queryKey: [...bindingsKey, 'of-channel', salesChannelId],
    fetchPage: ({ after, signal }) => {
      const query = { salesChannelId, limit: PAGE_SIZE, ...(after !== undefined && { after }) };
      return unwrapData(operations.GET('/bindings', { signal, params: { query } }));
    },
  });

/** A user has at most one sales channel. Null if none. */
export const useBinding = (userId: string): UseQueryResult<Binding | null> =>
  useQuery({
    queryKey: [...bindingsKey, userId],
    queryFn: async ({ signal }) =>
      (await unwrapData(operations.GET('/bindings', { signal, params: { query: { userId } } }))).items[0] ?? null,
  });

/** Finds the subject by search, because the list filters by subject only. Null if the user does not exist. */
export const useUser = (userId: string): UseQueryResult<User | null> =>
  useQuery({
    queryKey: [...usersKey, userId],
    async queryFn({ signal }) {
      const { found } = await lookUp(userId, signal);
      const subject = found.find(({ kind }) => kind === 'user')?.facts['subject'];
      if (subject === undefined) return null;
      const { items } = await unwrapData(operations.GET('/users', { signal, params: { query: { subject } } }));
      return items.find(({ id }) => id === userId) ?? null;
    },
  });
