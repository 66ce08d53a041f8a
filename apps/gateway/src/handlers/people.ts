import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { streamList, type CsvFile } from './lists.ts';
import { LIST_TIMEOUT_MS } from './requests.ts';
import { hash } from 'node:crypto';
import { parseAuthorization } from '../authentication/credentials.ts';
import type { RequestContext } from '../http/request-context.ts';

const toSession = ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address,
  isCurrent,
}: ReplyOf<'identity.ListOwnSessions'>['sessions'][number]) => ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address: address ?? null,
  current: isCurrent,
});

/** Identifies the current session for identity. An API key belongs to no session. */
function currentToken({ request }: RequestContext): { tokenSha256?: string } {
  const { authorization } = request.headers;
  const credential = authorization === undefined ? undefined : parseAuthorization(authorization, 'SALES_CHANNEL');
  return credential && 'bearerToken' in credential ? { tokenSha256: hash('sha256', credential.bearerToken) } : {};
}

/** Sessions of the signed-in user in the portal and the console. */
export const createSessionHandlers = ({
  identity,
}: Clients): Pick<Handlers, 'listOwnSessions' | 'endOwnSession' | 'endOwnSessions'> => ({
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
});

const toBinding = ({ userId, salesChannelId, roles }: ReplyOf<'rbac.GetOwnBinding'>) => ({
  userId,
  salesChannelId,
  roles,
});
const toGrant = ({ userId, salesChannelId, role }: ReplyOf<'rbac.GrantRole'>) => ({ userId, salesChannelId, role });

type BindingHandlers = Pick<
  Handlers,
  'getOwnBinding' | 'getUserBinding' | 'bindUser' | 'unbindUser' | 'grantRole' | 'removeRole'
>;

/** Users, sales channels and roles. */
export const createBindingHandlers = ({ rbac }: Clients): BindingHandlers => ({
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
});

const toMe = ({
  userId,
  issuer,
  subject,
  email,
  name,
  salesChannel,
  roles,
  accountHolder,
}: ReplyOf<'identity.GetMe'>) => ({
  userId,
  issuer,
  subject,
  email: email ?? null,
  name: name ?? null,
  salesChannel: salesChannel && { id: salesChannel.id, name: salesChannel.name, status: salesChannel.status },
  roles,
  accountHolder: accountHolder && {
    id: accountHolder.accountHolderId,
    name: accountHolder.name,
    kind: accountHolder.kind,
    status: accountHolder.status,
  },
});

const toChannelUser = ({ userId, issuer, subject, email, name, roles, lastSeenOn }: ReplyOf<'rbac.ListUsers'>) => ({
  userId,
  issuer,
  subject,
  email: email ?? null,
  name: name ?? null,
  roles,
  lastSeenOn: lastSeenOn ?? null,
});

const userFile: CsvFile<ReturnType<typeof toChannelUser>> = {
  name: 'users',
  columns: {
    userId: ({ userId }) => userId,
    issuer: ({ issuer }) => issuer,
    subject: ({ subject }) => subject,
    email: ({ email }) => email,
    name: ({ name }) => name,
    roles: ({ roles }) => roles.join(' '),
    lastSeenOn: ({ lastSeenOn }) => lastSeenOn,
  },
};

/** The signed-in user, and the users of their sales channel. */
export const createPeopleHandlers = ({
  identity,
  rbac,
}: Clients): Pick<Handlers, 'getMe' | 'listChannelUsers' | 'ensureUser'> => ({
  getMe: async (_input, { callOptions }) => createJsonAnswer(200, toMe(await identity.GetMe({}, callOptions))),
  listChannelUsers: (_input, context) =>
    streamList(context, rbac.ListUsers({}, context.createStreamOptions(LIST_TIMEOUT_MS)), toChannelUser, userFile),
  ensureUser: async ({ body }, { callOptions }) => {
    const { userId } = await identity.IntroduceUser(body, callOptions);
    return createJsonAnswer(201, { userId });
  },
});

const toInvitation = (invitation: ReplyOf<'rbac.RevokeInvitation'>) => {
  const { id, email, roles, createdOn, expiresAt, createdBy, status, acceptedBy } = invitation;
  return {
    id,
    email: email ?? null,
    roles,
    createdOn,
    expiresAt,
    createdBy,
    status,
    acceptedBy: acceptedBy ?? null,
  };
};

export interface InvitationOptions {
  /** URL of the account portal. Undefined without one. */
  readonly portalUrl: string | undefined;
}

/** URL of the page that accepts an invitation. Browsers do not send the fragment, the token, to servers. */
const invitationUrl = (portalUrl: string | undefined, token: string): string | null =>
  portalUrl === undefined ? null : `${portalUrl.replace(/\/{1,9}$/, '')}/invitation#${token}`;

type InvitationHandlers = Pick<
  Handlers,
  'listInvitations' | 'createInvitation' | 'revokeInvitation' | 'acceptInvitation'
>;

/** Invitations to a sales channel. */
export const createInvitationHandlers = ({ rbac }: Clients, { portalUrl }: InvitationOptions): InvitationHandlers => ({
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
});
