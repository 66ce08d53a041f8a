import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { disableUser as disable } from '../operations/disable-user.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ userId: z.string(), reason });
const place = parameters({ reason: 'reason' });

export const disableUser: Rpc<'identityAdministration.DisableUser', Context> = (context) => async (request, call) => {
  const disabled = parse(requestSchema, request, 'The reason is not valid.', place);
  const userId = idToFind(disabled.userId);
  return answerOnce(
    'identityAdministration.DisableUser',
    { database: context.database, call, request },
    async (database) => {
      const user = await disable({ ...context, database }, userId, disabled.reason, actorOf(call));
      context.logger.info({ userId }, 'user disabled');
      return user;
    },
    userMessage,
  );
};
