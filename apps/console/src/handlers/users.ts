import { pick } from '@saleschannel/edge';
import { lookUp } from '@saleschannel/edge/administration';
import { roles } from '@saleschannel/auth';
import { requestRefused, unavailable } from '@saleschannel/errors';
import type { ReplyOf } from '@saleschannel/grpc';
import { id, reason, searchText, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { lineText, findNext, page, requireSearched, booleanParameter } from '../http/forms.ts';

const toKey = (key: ReplyOf<'identityAdministration.ListKeys'>['keys'][number]) => ({
  ...pick(key, 'id', 'kind'),
  userId: key.userId ?? null,
  accountHolderId: key.accountHolderId ?? null,
  madeWithKeyId: key.madeWithKeyId ?? null,
  ...pick(key, 'createdOn', 'expiresAt'),
});

export const keys = ({ operatorClients: { identity } }: Context) =>
  ({
    listKeys: operation('listKeys')({
      query: z.strictObject({
        userId: id.optional(),
        accountHolderId: id.optional(),
        madeWithKeyId: id.optional(),
        ...page,
      }),
      async handle({ query }, { call }) {
        const { keys: found } = await identity.ListKeys(query, call);
        const ids = found.map((key) => key.id);
        return { items: found.map(toKey), next: findNext(ids, query) };
      },
    }),
    revokeKey: operation('revokeKey')({
      async handle({ path: { keyId } }, { call }) {
        const { keyIds } = await identity.RevokeKey({ keyId }, call);
        return { keyIds };
      },
    }),
    revokeUserKeys: operation('revokeUserKeys')({
      async handle({ path: { userId } }, { call }) {
        const { keyIds } = await identity.RevokeUserKeys({ userId }, call);
        return { keyIds };
      },
    }),
  }) satisfies Partial<Operations>;

const ISSUER_LENGTH_AT_MOST = 500;
const SUBJECT_LENGTH_AT_MOST = 255;
const ROLES_AT_MOST = 20;

const toUser = (user: ReplyOf<'userDirectory.EnsureUser'>) => ({
  ...pick(user, 'id', 'issuer', 'subject'),
  accountHolderId: user.accountHolderId ?? null,
  disabledAt: user.disabledAt ?? null,
  disabledReason: user.disabledReason ?? null,
});

const toSession = (session: ReplyOf<'identityAdministration.ListUserSessions'>['sessions'][number]) => ({
  ...pick(session, 'id', 'client', 'begunOn', 'lastUsedOn', 'expiresAt'),
  address: session.address ?? null,
});

const toBinding = (binding: ReplyOf<'rbacAdministration.AssignRoles'>) =>
  pick(binding, 'userId', 'salesChannelId', 'roles');

/**
 * Requires that the account holder exists. Identity stores its id without knowing the holders. Unknown users are left
 * to identity.
 * @throws DomainError 'request-refused', 'unavailable'
 */
async function requireHolder({ addresses, tokens }: Context['connection'], userId: string, id: string): Promise<void> {
  const { identity, 'registry-import': registryImport } = addresses;
  const [user, holder] = await Promise.all([
    lookUp({ addresses: { identity }, tokens }, userId),
    lookUp({ addresses: { 'registry-import': registryImport }, tokens }, id),
  ]);
  if (holder.unreachable.length > 0) throw unavailable(new Error('registry-import cannot be reached'));
  const isKnown = holder.found.some(({ facts }) => facts['accountHolderId'] === id);
  if (isKnown || user.found.length === 0) return;
  throw requestRefused('The account holder does not exist. Check `accountHolderId`.', [
    { pointer: '#/accountHolderId', code: 'unknown-account-holder', detail: 'must be the id of an account holder' },
  ]);
}

const people = ({ operatorClients: { identity, users }, connection }: Context) =>
  ({
    searchUsers: operation('searchUsers')({
      query: z.strictObject({
        subject: lineText.optional(),
        subjectContains: searchText.optional(),
        accountHolderId: id.optional(),
        disabled: booleanParameter.optional(),
        ...page,
      }),
      async handle({ query: { subjectContains: subjectPart, ...query } }, { call }) {
        const filter = subjectPart === undefined ? query : { ...query, subjectPart };
        const { users: found, searched } = await identity.ListUsers(filter, call);
        requireSearched(subjectPart, { searched });
        const ids = found.map((user) => user.id);
        return { items: found.map(toUser), next: findNext(ids, query) };
      },
    }),
    ensureUser: operation('ensureUser')({
      body: z.strictObject({
        issuer: text({ min: 1, max: ISSUER_LENGTH_AT_MOST }),
        subject: text({ min: 1, max: SUBJECT_LENGTH_AT_MOST }),
      }),
      handle: async ({ body }, { call }) => toUser(await users.EnsureUser(body, call)),
    }),
    setAccountHolder: operation('setAccountHolder')({
      body: z.strictObject({ accountHolderId: id.nullable() }),
      async handle({ path: { userId }, body: { accountHolderId } }, { call }) {
        if (accountHolderId === null) return toUser(await users.SetAccountHolder({ userId }, call));
        await requireHolder(connection, userId, accountHolderId);
        return toUser(await users.SetAccountHolder({ userId, accountHolderId }, call));
      },
    }),
    disableUser: operation('disableUser')({
      body: z.strictObject({ reason }),
      handle: async ({ path: { userId }, body }, { call }) =>
        toUser(await identity.DisableUser({ userId, ...body }, call)),
    }),
    enableUser: operation('enableUser')({
      handle: async ({ path }, { call }) => toUser(await identity.EnableUser(path, call)),
    }),
    listUserSessions: operation('listUserSessions')({
      async handle({ path: { userId } }, { call }) {
        const { sessions } = await identity.ListUserSessions({ userId }, call);
        return { items: sessions.map(toSession) };
      },
    }),
    endUserSessions: operation('endUserSessions')({
      body: z.strictObject({ reason }),
      async handle({ path: { userId }, body }, { call }) {
        const { sessions } = await identity.EndUserSessions({ userId, ...body }, call);
        return { items: sessions.map(toSession) };
      },
    }),
  }) satisfies Partial<Operations>;

const rights = ({ operatorClients: { rbac } }: Context) =>
  ({
    assignRoles: operation('assignRoles')({
      body: z.strictObject({ salesChannelId: id, roles: z.array(z.enum(roles)).min(1).max(ROLES_AT_MOST) }),
      handle: async ({ path: { userId }, body }, { call }) =>
        toBinding(await rbac.AssignRoles({ userId, ...body }, call)),
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
        return { items: bindings.map(toBinding), next: findNext(ids, query) };
      },
    }),
    endBinding: operation('endBinding')({
      async handle({ path: { userId } }, { call }) {
        const { binding, wasLastAdministrator } = await rbac.EndBinding({ userId }, call);
        return { binding: binding ? toBinding(binding) : null, wasLastAdministrator };
      },
    }),
  }) satisfies Partial<Operations>;

export const users = (context: Context) => ({ ...people(context), ...rights(context) }) satisfies Partial<Operations>;
