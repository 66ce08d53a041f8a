import { hash } from 'node:crypto';
import { pick } from '@saleschannel/edge';
import type { ReplyOf } from '@saleschannel/grpc';
import { parseAuthorization } from '../authentication/credentials.ts';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { streamList, pickColumns, type CsvFile } from './lists.ts';
import { LIST_TIMEOUT_MS } from './requests.ts';

const toSession = (session: ReplyOf<'identity.ListOwnSessions'>['sessions'][number]) => ({
  ...pick(session, 'id', 'client', 'begunOn', 'lastUsedOn', 'expiresAt'),
  address: session.address ?? null,
  current: session.isCurrent,
});

/** Identifies the current session for identity. An API key belongs to no session. */
function currentToken({ request }: RequestContext): { tokenSha256?: string } {
  const { authorization } = request.headers;
  const credential = authorization === undefined ? undefined : parseAuthorization(authorization, 'SALES_CHANNEL');
  return credential && 'bearerToken' in credential ? { tokenSha256: hash('sha256', credential.bearerToken) } : {};
}

export const createSessionHandlers = ({ identity }: Clients) =>
  ({
    async listOwnSessions(_input, context) {
      const { sessions } = await identity.ListOwnSessions(currentToken(context), context.callOptions);
      return createJsonAnswer(200, sessions.map(toSession));
    },
    async endOwnSession({ path: { sessionId: id } }, context) {
      const { sessions } = await identity.EndOwnSessions({ id, ...currentToken(context) }, context.callOptions);
      const [ended] = sessions;
      if (!ended) throw new Error('identity answered without the ended session');
      return createJsonAnswer(200, toSession(ended));
    },
    async endOwnSessions({ query: { others } }, context) {
      const { sessions } = await identity.EndOwnSessions({ others, ...currentToken(context) }, context.callOptions);
      return createJsonAnswer(200, sessions.map(toSession));
    },
  }) satisfies Partial<Handlers>;

const toBinding = (binding: ReplyOf<'rbac.GetOwnBinding'>) => pick(binding, 'userId', 'salesChannelId', 'roles');
const toGrant = ({ userId, salesChannelId, role }: ReplyOf<'rbac.GrantRole'>) => ({ userId, salesChannelId, role });

export const createBindingHandlers = ({ rbac }: Clients) =>
  ({
    getOwnBinding: async (_input, { callOptions }) =>
      createJsonAnswer(200, toBinding(await rbac.GetOwnBinding({}, callOptions))),
    getUserBinding: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toBinding(await rbac.GetUserBinding(path, callOptions))),
    bindUser: async ({ path }, { callOptions }) =>
      createJsonAnswer(201, toBinding(await rbac.BindUser(path, callOptions))),
    unbindUser: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toBinding(await rbac.UnbindUser(path, callOptions))),
    grantRole: async ({ path, query }, { callOptions }) =>
      createJsonAnswer(201, toGrant(await rbac.GrantRole({ ...path, ...query }, callOptions))),
    removeRole: async ({ path, query }, { callOptions }) =>
      createJsonAnswer(200, toGrant(await rbac.RemoveRole({ ...path, ...query }, callOptions))),
  }) satisfies Partial<Handlers>;

const toMe = ({ salesChannel, accountHolder, ...user }: ReplyOf<'identity.GetMe'>) => ({
  ...pick(user, 'userId', 'issuer', 'subject'),
  email: user.email ?? null,
  name: user.name ?? null,
  salesChannel: salesChannel && pick(salesChannel, 'id', 'name', 'status'),
  roles: user.roles,
  accountHolder: accountHolder && {
    id: accountHolder.accountHolderId,
    ...pick(accountHolder, 'name', 'kind', 'status'),
  },
});

const toChannelUser = (user: ReplyOf<'rbac.ListUsers'>) => ({
  ...pick(user, 'userId', 'issuer', 'subject'),
  email: user.email ?? null,
  name: user.name ?? null,
  roles: user.roles,
  lastSeenOn: user.lastSeenOn ?? null,
});

const userFile: CsvFile<ReturnType<typeof toChannelUser>> = {
  name: 'users',
  columns: {
    ...pickColumns('userId', 'issuer', 'subject', 'email', 'name'),
    roles: ({ roles }) => roles.join(' '),
    ...pickColumns('lastSeenOn'),
  },
};

/** The signed-in user, and the users of their sales channel. */
export const createPeopleHandlers = ({ identity, rbac }: Clients) =>
  ({
    getMe: async (_input, { callOptions }) => createJsonAnswer(200, toMe(await identity.GetMe({}, callOptions))),
    listChannelUsers: (_input, context) =>
      streamList(context, rbac.ListUsers({}, context.createStreamOptions(LIST_TIMEOUT_MS)), toChannelUser, userFile),
    ensureUser: async ({ body }, { callOptions }) => {
      const { userId } = await identity.IntroduceUser(body, callOptions);
      return createJsonAnswer(201, { userId });
    },
  }) satisfies Partial<Handlers>;

const toInvitation = (invitation: ReplyOf<'rbac.RevokeInvitation'>) => ({
  id: invitation.id,
  email: invitation.email ?? null,
  ...pick(invitation, 'roles', 'createdOn', 'expiresAt', 'createdBy', 'status'),
  acceptedBy: invitation.acceptedBy ?? null,
});

export interface InvitationOptions {
  /** URL of the account portal. Undefined without one. */
  readonly portalUrl: string | undefined;
}

/** URL of the page that accepts an invitation. Browsers do not send the fragment, the token, to servers. */
const invitationUrl = (portalUrl: string | undefined, token: string): string | null =>
  portalUrl === undefined ? null : `${portalUrl.replace(/\/{1,9}$/, '')}/invitation#${token}`;

export const createInvitationHandlers = ({ rbac }: Clients, { portalUrl }: InvitationOptions) =>
  ({
    listInvitations: async (_input, { callOptions }) =>
      createJsonAnswer(200, (await rbac.ListInvitations({}, callOptions)).invitations.map(toInvitation)),
    createInvitation: async ({ body: { email, roles } }, { callOptions }) => {
      const { invitation, token } = await rbac.CreateInvitation({ roles, ...(email && { email }) }, callOptions);
      if (!invitation) throw new Error('rbac answered without the invitation');
      return createJsonAnswer(201, {
        ...toInvitation(invitation),
        acceptedBy: null,
        token,
        url: invitationUrl(portalUrl, token),
      });
    },
    revokeInvitation: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toInvitation(await rbac.RevokeInvitation(path, callOptions))),
    acceptInvitation: async ({ body }, { callOptions }) =>
      createJsonAnswer(201, toBinding(await rbac.AcceptInvitation(body, callOptions))),
  }) satisfies Partial<Handlers>;
