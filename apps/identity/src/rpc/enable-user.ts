import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { enableUser as enable } from '../operations/disable-user.ts';
import { userMessage } from './messages.ts';

export const enableUser: Rpc<'identityAdministration.EnableUser', Context> = (context) => async (request, call) => {
  const userId = idToFind(request.userId);
  return answerOnce(
    'identityAdministration.EnableUser',
    { database: context.database, call, request },
    async (database) => {
      const user = await enable({ ...context, database }, userId, actorOf(call));
      context.logger.info({ userId }, 'user enabled');
      return user;
    },
    userMessage,
  );
};
