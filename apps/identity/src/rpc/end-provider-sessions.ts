import { invalidRequest } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { providerSignOut } from '../domain/session.ts';
import { endSessions } from '../operations/end-sessions.ts';
import { insertProviderSignOut } from '../store/provider-sign-outs.ts';
import { requestOf, sessionClientOf, sessionMessage } from './messages.ts';

export const endProviderSessions: Rpc<'sessions.EndProviderSessions', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const signOut = parse(providerSignOut, request, 'The sign-out is not valid.');
    if (signOut.subject === undefined && signOut.providerSession === undefined)
      throw invalidRequest('Either `subject` or `providerSession` must be given.');
    const client = sessionClientOf(call);
    const now = clock.now();
    const ended = await database.transaction(async (em) => {
      await insertProviderSignOut(em, signOut, { client, now });
      return endSessions(em, { ...signOut, client }, { by: 'PROVIDER', actor: requestOf(call), now });
    });
    return { sessions: ended.map(sessionMessage) };
  };
