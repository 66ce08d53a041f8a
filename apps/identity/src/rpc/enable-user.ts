import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { enableUser as enable } from '../operations/disable-user.ts';
import { userMessage } from './messages.ts';

export const enableUser: Rpc<'identityAdministration.EnableUser', Context> =
  ({ database, logger }) =>
  async ({ userId }, call) => {
    const user = await enable(database, idToFind(userId), actorOf(call));
    logger.info({ userId: user.id }, 'user enabled');
    return userMessage(user);
  };
