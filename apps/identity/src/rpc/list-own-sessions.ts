import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { ofToken } from '../domain/session.ts';
import { listSessions } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import { ownSessionMessage } from './messages.ts';

export const listOwnSessions: Rpc<'identity.ListOwnSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { tokenSha256: token } = parse(ofToken, request, 'The token is not valid.');
    const em = database.em();
    const user = await findUser(em, userOf(call).userId);
    if (!user) throw notFound();
    return { sessions: (await listSessions(em, user, { token, now: clock.now() })).map(ownSessionMessage) };
  };
