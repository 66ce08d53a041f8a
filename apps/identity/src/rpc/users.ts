import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, userOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import {
  fault,
  idListToFind,
  idToFind,
  operatorPage,
  parameters,
  parse,
  reason,
  searchText,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId, issuer, subject, type User } from '../domain/user.ts';
import { findAccountHolder, findBinding } from '../neighbours/rights.ts';
import * as operations from '../operations/users.ts';
import { ensureUser as ensure, findUser, findUsers, listUsers as list } from '../store/users.ts';

const toUserMessage = ({
  accountHolderId,
  disabledAt,
  disabledReason,
  email,
  emailVerified,
  name,
  lastSeenOn,
  ...user
}: User): ResponseOf<'userDirectory.GetUser'> => ({
  ...user,
  ...(email === null ? {} : { email, emailVerified }),
  ...(name === null ? {} : { name }),
  ...(lastSeenOn === null ? {} : { lastSeenOn }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(disabledAt === null ? {} : { disabledAt }),
  ...(disabledReason === null ? {} : { disabledReason }),
});

/** Not cached, so that a new binding is visible at once. */
export const getMe: Rpc<'identity.GetMe', Context> = (context) => async (_request, call) => {
  const { userId } = userOf(call);
  const user = await findUser(context.database.em(), userId);
  if (!user) throw notFound();
  const { issuer, subject, accountHolderId, email, name } = user;
  const [{ binding, salesChannel }, accountHolder] = await Promise.all([
    findBinding(context, userId, call),
    accountHolderId === null ? undefined : findAccountHolder(context, accountHolderId, call),
  ]);
  return {
    userId,
    issuer,
    subject,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    salesChannel,
    roles: binding?.roles ?? [],
    accountHolder,
  };
};

/** A user of another issuer could never sign in. */
const introduceUserRequest = (ownIssuer: string) =>
  z.object({
    issuer: issuer.check(({ value, issues }) => {
      if (value !== ownIssuer)
        issues.push(fault({ code: 'issuer', detail: 'is not the issuer whose tokens are accepted here' }, value));
    }),
    subject,
  });

export const introduceUser: Rpc<'identity.IntroduceUser', Context> =
  ({ database, bearerTokens }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const claims = parse(introduceUserRequest(bearerTokens.issuer), request, 'The user is not valid.');
    return answerOnce(
      'identity.IntroduceUser',
      { database, call, request },
      (transactional) => operations.introduceUser(transactional, claims, salesChannelId, actorOf(call)),
      (userId) => ({ userId }),
    );
  };

const ensureUserRequest = z.object({ issuer, subject });
const ensureUserParameters = parameters({ issuer: 'issuer', subject: 'subject' });

export const ensureUser: Rpc<'userDirectory.EnsureUser', Context> =
  ({ database }) =>
  async (request, call) => {
    const claims = parse(ensureUserRequest, request, 'The user is not valid.', ensureUserParameters);
    return answerOnce(
      'userDirectory.EnsureUser',
      { database, call, request },
      (transactional) => transactional.transaction((em) => ensure(em, claims)),
      toUserMessage,
    );
  };

export const getUser: Rpc<'userDirectory.GetUser', Context> =
  ({ database }) =>
  async ({ userId }) => {
    const user = await findUser(database.em(), idToFind(userId));
    if (!user) throw notFound();
    return toUserMessage(user);
  };

const getUsersRequest = z.object({ userIds: idListToFind });

export const getUsers: Rpc<'userDirectory.GetUsers', Context> =
  ({ database }) =>
  async (request) => {
    const { userIds } = parse(getUsersRequest, request, 'The users cannot be looked up.');
    return { users: (await findUsers(database.em(), userIds)).map(toUserMessage) };
  };

const setAccountHolderRequest = z.object({ userId: z.string(), accountHolderId: accountHolderId.optional() });
const setAccountHolderParameters = parameters({ accountHolderId: 'accountHolderId' });

export const setAccountHolder: Rpc<'userDirectory.SetAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const { userId, accountHolderId: holder } = parse(
      setAccountHolderRequest,
      request,
      'The account holder is not valid.',
      setAccountHolderParameters,
    );
    return toUserMessage(await operations.setAccountHolder(database, idToFind(userId), holder, actorOf(call)));
  };

const listUsersRequest = operatorPage.extend({
  accountHolderId: accountHolderId.optional(),
  subject: subject.optional(),
  disabled: z.boolean().optional(),
  subjectPart: searchText.optional(),
});
const listUsersParameters = parameters({
  limit: 'limit',
  after: 'after',
  accountHolderId: 'accountHolderId',
  subject: 'subject',
  subjectPart: 'subjectContains',
});

export const listUsers: Rpc<'identityAdministration.ListUsers', Context> =
  ({ database }) =>
  async (request) => {
    const filter = parse(listUsersRequest, request, 'The users cannot be listed.', listUsersParameters);
    const found = await list(database.em(), filter);
    return { users: found.map(toUserMessage), searched: filter.subjectPart !== undefined };
  };

const disableUserRequest = z.object({ userId: z.string(), reason });
const disableUserParameters = parameters({ reason: 'reason' });

export const disableUser: Rpc<'identityAdministration.DisableUser', Context> = (context) => async (request, call) => {
  const disabled = parse(disableUserRequest, request, 'The reason is not valid.', disableUserParameters);
  const userId = idToFind(disabled.userId);
  return answerOnce(
    'identityAdministration.DisableUser',
    { database: context.database, call, request },
    async (database) => {
      const user = await operations.disableUser({ ...context, database }, userId, disabled.reason, actorOf(call));
      context.logger.info({ userId }, 'user disabled');
      return user;
    },
    toUserMessage,
  );
};

export const enableUser: Rpc<'identityAdministration.EnableUser', Context> = (context) => async (request, call) => {
  const userId = idToFind(request.userId);
  return answerOnce(
    'identityAdministration.EnableUser',
    { database: context.database, call, request },
    async (database) => {
      const user = await operations.enableUser({ ...context, database }, userId, actorOf(call));
      context.logger.info({ userId }, 'user enabled');
      return user;
    },
    toUserMessage,
  );
};
