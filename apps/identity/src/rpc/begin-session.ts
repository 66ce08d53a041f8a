import type { Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newSession } from '../domain/session.ts';
import { beginSession as begin } from '../operations/begin-session.ts';
import { requestOf, sessionClientOf, sessionMessage } from './messages.ts';

export const beginSession: Rpc<'sessions.BeginSession', Context> = (context) => async (request, call) => {
  const wanted = parse(newSession, request, 'The session is not valid.');
  const { session, userId } = await begin(context, wanted, sessionClientOf(call), requestOf(call));
  return { ...sessionMessage(session), ...(userId !== undefined && { userId }) };
};
