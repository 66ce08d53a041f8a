import { actorOf } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { invalidRequest, notFound } from '@saleschannel/errors';
import { userOf, type Call, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credentials.ts';
import {
  callerToken,
  newSession,
  newSessionToken,
  providerSignOut,
  type Session,
  type SessionClient,
} from '../domain/session.ts';
import { beginSession as begin, endSessions } from '../operations/sessions.ts';
import {
  insertProviderSignOut,
  insertSessionToken,
  listSessions,
  MAX_SESSIONS,
  useSession,
  type OwnSession,
} from '../store/sessions.ts';
import { findUser, lockUser } from '../store/users.ts';

/** The console calls as `admin`. */
const toSessionClient = ({ caller }: Call): SessionClient => (caller === 'portal' ? 'portal' : 'console');

/** Origin of a call without a principal. */
const toRequestOrigin = ({ clientAddress, requestId }: Call): Pick<Actor, 'address' | 'requestId'> => ({
  ...(clientAddress && { address: clientAddress }),
  ...(requestId && { requestId }),
});

const toSessionMessage = ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address,
  signedInAt,
}: Session): ResponseOf<'sessions.CheckSession'> => ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  signedInAt,
  ...(address === null ? {} : { address }),
});

const toOwnSessionMessage = ({ isCurrent, ...session }: OwnSession) => ({
  ...toSessionMessage(session),
  isCurrent,
});

export const beginSession: Rpc<'sessions.BeginSession', Context> = (context) => async (request, call) => {
  const content = parse(newSession, request, 'The session is not valid.');
  const { session, userId } = await begin(context, content, toSessionClient(call), toRequestOrigin(call));
  return { ...toSessionMessage(session), ...(userId !== undefined && { userId }) };
};

export const addSessionToken: Rpc<'sessions.AddSessionToken', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { id, token } = parse(newSessionToken, request, 'The token is not valid.');
    const added = { id, client: toSessionClient(call), token, now: clock.now() };
    if (!(await insertSessionToken(database.em(), added))) throw unauthenticated();
    return {};
  };

export const checkSession: Rpc<'sessions.CheckSession', Context> =
  ({ database, clock }) =>
  async ({ id = '', isUsed = false }, call) => {
    const use = { id, client: toSessionClient(call), isUsed, now: clock.now() };
    const session = await useSession(database.em(), use);
    if (!session) throw unauthenticated();
    return toSessionMessage(session);
  };

export const endSession: Rpc<'sessions.EndSession', Context> =
  ({ database, clock }) =>
  async ({ id = '' }, call) => {
    const choice = { id, client: toSessionClient(call) };
    await database.transaction((em) =>
      endSessions(em, choice, { by: 'SIGN_OUT', actor: toRequestOrigin(call), now: clock.now() }),
    );
    return {};
  };

export const endProviderSessions: Rpc<'sessions.EndProviderSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const signOut = parse(providerSignOut, request, 'The sign-out is not valid.');
    if (signOut.subject === undefined && signOut.providerSession === undefined)
      throw invalidRequest('Either `subject` or `providerSession` must be given.');
    const client = toSessionClient(call);
    const now = clock.now();
    const ended = await database.transaction(async (em) => {
      await insertProviderSignOut(em, signOut, { client, now });
      return endSessions(em, { ...signOut, client }, { by: 'PROVIDER', actor: toRequestOrigin(call), now });
    });
    return { sessions: ended.map(toSessionMessage) };
  };

export const listOwnSessions: Rpc<'identity.ListOwnSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { tokenSha256: token } = parse(callerToken, request, 'The token is not valid.');
    const em = database.em();
    const user = await findUser(em, userOf(call).userId);
    if (!user) throw notFound();
    return { sessions: (await listSessions(em, user, { token, now: clock.now() })).map(toOwnSessionMessage) };
  };

export const endOwnSessions: Rpc<'identity.EndOwnSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { tokenSha256: token } = parse(callerToken, request, 'The token is not valid.');
    const id = request.id === undefined ? undefined : idToFind(request.id);
    const ended = await database.transaction(async (em) => {
      const user = await findUser(em, userOf(call).userId);
      if (!user) throw notFound();
      const { issuer, subject } = user;
      const choice = { issuer, subject, id, token, others: request.others };
      return endSessions(em, choice, { by: 'PERSON', actor: actorOf(call), now: clock.now() });
    });
    if (id !== undefined && ended.length === 0) throw notFound();
    return { sessions: ended.map(toOwnSessionMessage) };
  };

export const listUserSessions: Rpc<'identityAdministration.ListUserSessions', Context> =
  ({ database, clock }) =>
  async ({ userId }) => {
    const em = database.em();
    const user = await findUser(em, idToFind(userId));
    if (!user) throw notFound();
    return { sessions: (await listSessions(em, user, { now: clock.now() })).map(toSessionMessage) };
  };

const endUserSessionsRequest = z.object({ userId: z.string(), reason });
const endUserSessionsParameters = parameters({ reason: 'reason' });

export const endUserSessions: Rpc<'identityAdministration.EndUserSessions', Context> =
  ({ database, clock, logger }) =>
  async (request, call) => {
    const { reason, ...named } = parse(
      endUserSessionsRequest,
      request,
      'The reason is not valid.',
      endUserSessionsParameters,
    );
    const userId = idToFind(named.userId);
    return answerOnce(
      'identityAdministration.EndUserSessions',
      { database, call, request },
      async (own) => {
        const ended = await own.transaction(async (em) => {
          const user = await lockUser(em, userId);
          if (!user) throw notFound();
          const { issuer, subject } = user;
          const ending = { by: 'OPERATOR', actor: actorOf(call), reason, now: clock.now() } as const;
          return endSessions(em, { issuer, subject }, ending);
        });
        logger.info({ userId, sessions: ended.length }, 'sessions of a user ended by an operator');
        return ended;
      },
      (ended) => ({ sessions: ended.slice(0, MAX_SESSIONS).map(toSessionMessage) }),
    );
  };
