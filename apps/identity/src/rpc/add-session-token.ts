import type { Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import { newSessionToken } from '../domain/session.ts';
import { insertSessionToken } from '../store/sessions.ts';
import { sessionClientOf } from './messages.ts';

export const addSessionToken: Rpc<'sessions.AddSessionToken', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { id, token } = parse(newSessionToken, request, 'The token is not valid.');
    const added = { id, client: sessionClientOf(call), token, now: clock.now() };
    if (!(await insertSessionToken(database.em(), added))) throw unauthenticated();
    return {};
  };
