import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { streamList, type CsvFile } from './lists.ts';
import { LIST_TIMEOUT_MS } from './requests.ts';

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
