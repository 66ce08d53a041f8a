import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { useCursorSource, type RowSource } from '../../shared/ui/row-source.ts';
import { lookUp, operations, PAGE_SIZE, type Schemas } from '../api.ts';

export const text = translate({
  title: 'Users',
  one: 'User',
  all: 'All users',
  none: 'There is no user with this id.',
  id: 'User id',
  subject: 'Name at the identity provider',
  subjectContains: 'Name contains',
  issuer: 'Identity provider',
  holder: 'Account holder',
  channel: 'Sales channel',
  chooseChannel: 'Choose a sales channel',
  roles: 'Roles',
  noRoles: 'no role',
  status: 'Status',
  enabled: 'enabled',
  disabled: 'disabled',
  noHolder: 'none',
  noChannel: 'none',
  empty: 'There are no users yet.',
  nobodyOfChannel: 'This sales channel has no users.',
  create: 'Add user',
  createWhy: 'Finds the user, or adds them before their first sign-in so that they can receive roles.',
  issuerHint: 'Must equal the claim iss of their tokens.',
  subjectHint: 'Must equal the claim sub of their tokens.',
  assign: 'Assign roles',
  assignTitle: (subject: string) => `Assign roles to ${subject}`,
  assignWhy:
    'Adds the user to the sales channel, and adds these roles to their existing roles. A user of another sales ' +
    'channel is refused.',
  setHolder: 'Set account holder',
  setHolderTitle: (subject: string) => `Set the account holder of ${subject}`,
  setHolderWhy:
    'The user can see and decide everything that the account holder can. Leave the field empty to remove the user ' +
    'from their account holder.',
  disable: 'Disable',
  disableTitle: (subject: string) => `Disable ${subject}`,
  disableWhy:
    'All credentials of the user are refused from now on. Keys and roles are kept. You can enable the user again.',
  enable: 'Enable',
  enableTitle: (subject: string) => `Enable ${subject}`,
  enableWhy: 'The credentials of the user are valid again, with the previous roles and keys.',
  unbind: 'Remove from sales channel',
  unbindTitle: (subject: string) => `Remove ${subject} from their sales channel`,
  unbindWhy:
    'All roles of the user are removed, even those of the last role administrator. The audit trail records the ' +
    'removed roles.',
  unbound: 'The user no longer belongs to a sales channel.',
  wasLast:
    'The user no longer belongs to a sales channel. The sales channel has no role administrator now: assign one.',
});

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
