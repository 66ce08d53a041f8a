import { roles } from '@saleschannel/auth';
import type { ReplyOf } from '@saleschannel/grpc';
import { id, reason, text } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { line, nextOf, page, truth } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled =
  | 'searchUsers'
  | 'ensureUser'
  | 'setAccountHolder'
  | 'disableUser'
  | 'enableUser'
  | 'assignRoles'
  | 'listBindings'
  | 'endBinding';

const ISSUER_LENGTH_AT_MOST = 500;
const SUBJECT_LENGTH_AT_MOST = 255;
const ROLES_AT_MOST = 20;

const userOf = (user: ReplyOf<'userDirectory.EnsureUser'>) => ({
  id: user.id,
  issuer: user.issuer,
  subject: user.subject,
  accountHolderId: user.accountHolderId ?? null,
  disabledAt: user.disabledAt ?? null,
  disabledReason: user.disabledReason ?? null,
});

const bindingOf = ({ userId, salesChannelId, roles: held }: ReplyOf<'rbacAdministration.AssignRoles'>) => ({
  userId,
  salesChannelId,
  roles: held,
});

type PeopleHandled = Exclude<Handled, 'assignRoles' | 'listBindings' | 'endBinding'>;

const people = ({ powers: { identity, users } }: Context): Pick<Operations, PeopleHandled> => ({
  searchUsers: operation('searchUsers')({
    query: z.strictObject({
      subject: line.optional(),
      accountHolderId: id.optional(),
      disabled: truth.optional(),
      ...page,
    }),
    async handle({ query }, { call }) {
      const { users: found } = await identity.ListUsers(query, call);
      const ids = found.map((user) => user.id);
      return { items: found.map(userOf), next: nextOf(ids, query) };
    },
  }),
  ensureUser: operation('ensureUser')({
    body: z.strictObject({
      issuer: text({ min: 1, max: ISSUER_LENGTH_AT_MOST }),
      subject: text({ min: 1, max: SUBJECT_LENGTH_AT_MOST }),
    }),
    handle: async ({ body }, { call }) => userOf(await users.EnsureUser(body, call)),
  }),
  setAccountHolder: operation('setAccountHolder')({
    body: z.strictObject({ accountHolderId: id.nullable() }),
    handle: async ({ path: { userId }, body: { accountHolderId } }, { call }) =>
      userOf(await users.SetAccountHolder({ userId, ...(accountHolderId !== null && { accountHolderId }) }, call)),
  }),
  disableUser: operation('disableUser')({
    body: z.strictObject({ reason }),
    handle: async ({ path: { userId }, body }, { call }) =>
      userOf(await identity.DisableUser({ userId, ...body }, call)),
  }),
  enableUser: operation('enableUser')({
    handle: async ({ path: { userId } }, { call }) => userOf(await identity.EnableUser({ userId }, call)),
  }),
});

const rights = ({ powers: { rbac } }: Context): Pick<Operations, Exclude<Handled, PeopleHandled>> => ({
  assignRoles: operation('assignRoles')({
    body: z.strictObject({ salesChannelId: id, roles: z.array(z.enum(roles)).min(1).max(ROLES_AT_MOST) }),
    handle: async ({ path: { userId }, body }, { call }) =>
      bindingOf(await rbac.AssignRoles({ userId, ...body }, call)),
  }),
  listBindings: operation('listBindings')({
    query: z.strictObject({
      salesChannelId: id.optional(),
      userId: id.optional(),
      role: z.enum(roles).optional(),
      ...page,
    }),
    async handle({ query }, { call }) {
      const { bindings } = await rbac.ListBindings(query, call);
      const ids = bindings.map(({ userId }) => userId);
      return { items: bindings.map(bindingOf), next: nextOf(ids, query) };
    },
  }),
  endBinding: operation('endBinding')({
    async handle({ path: { userId } }, { call }) {
      const { binding, wasLastAdministrator } = await rbac.EndBinding({ userId }, call);
      return { binding: binding ? bindingOf(binding) : null, wasLastAdministrator };
    },
  }),
});

/** Users, and what they may do. */
export const users = (context: Context): Pick<Operations, Handled> => ({ ...people(context), ...rights(context) });
