import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import { useSession } from '../store/sessions.ts';
import { sessionClientOf, sessionMessage } from './messages.ts';

export const checkSession: Rpc<'sessions.CheckSession', Context> =
  ({ database, clock }) =>
  async ({ id = '', isUsed = false }, call) => {
    const wanted = { id, client: sessionClientOf(call), isUsed, now: clock.now() };
    const session = await useSession(database.em(), wanted);
    if (!session) throw unauthenticated();
    return sessionMessage(session);
  };
