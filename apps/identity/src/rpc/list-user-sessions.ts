import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { listSessions } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import { sessionMessage } from './messages.ts';

export const listUserSessions: Rpc<'identityAdministration.ListUserSessions', Context> =
  ({ database, clock }) =>
  async ({ userId }) => {
    const em = database.em();
    const user = await findUser(em, idToFind(userId));
    if (!user) throw notFound();
    return { sessions: (await listSessions(em, user, { now: clock.now() })).map(sessionMessage) };
  };
