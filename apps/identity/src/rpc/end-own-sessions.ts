import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { ofToken } from '../domain/session.ts';
import { endSessions } from '../operations/end-sessions.ts';
import { findUser } from '../store/users.ts';
import { ownSessionMessage } from './messages.ts';

export const endOwnSessions: Rpc<'identity.EndOwnSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { tokenSha256: token } = parse(ofToken, request, 'The token is not valid.');
    const id = request.id === undefined ? undefined : idToFind(request.id);
    const ended = await database.transaction(async (em) => {
      const user = await findUser(em, userOf(call).userId);
      if (!user) throw notFound();
      const { issuer, subject } = user;
      const choice = { issuer, subject, id, token, others: request.others };
      return endSessions(em, choice, { by: 'PERSON', actor: actorOf(call), now: clock.now() });
    });
    if (id !== undefined && ended.length === 0) throw notFound();
    return { sessions: ended.map(ownSessionMessage) };
  };
