import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { endSessions } from '../operations/end-sessions.ts';
import { requestOf, sessionClientOf } from './messages.ts';

export const endSession: Rpc<'sessions.EndSession', Context> =
  ({ database, clock }) =>
  async ({ id = '' }, call) => {
    const choice = { id, client: sessionClientOf(call) };
    await database.transaction((em) =>
      endSessions(em, choice, { by: 'SIGN_OUT', actor: requestOf(call), now: clock.now() }),
    );
    return {};
  };
