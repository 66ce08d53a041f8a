import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { endSessions } from '../operations/end-sessions.ts';
import { SESSIONS_AT_MOST } from '../store/sessions.ts';
import { lockUser } from '../store/users.ts';
import { sessionMessage } from './messages.ts';

const requestSchema = z.object({ userId: z.string(), reason });
const place = parameters({ reason: 'reason' });

export const endUserSessions: Rpc<'identityAdministration.EndUserSessions', Context> =
  ({ database, clock, logger }) =>
  async (request, call) => {
    const wanted = parse(requestSchema, request, 'The reason is not valid.', place);
    const userId = idToFind(wanted.userId);
    return answerOnce(
      'identityAdministration.EndUserSessions',
      { database, call, request },
      async (own) => {
        const ended = await own.transaction(async (em) => {
          const user = await lockUser(em, userId);
          if (!user) throw notFound();
          const { issuer, subject } = user;
          const ending = { by: 'OPERATOR', actor: actorOf(call), reason: wanted.reason, now: clock.now() } as const;
          return endSessions(em, { issuer, subject }, ending);
        });
        logger.info({ userId, sessions: ended.length }, 'sessions of a user ended by an operator');
        return ended;
      },
      (ended) => ({ sessions: ended.slice(0, SESSIONS_AT_MOST).map(sessionMessage) }),
    );
  };
