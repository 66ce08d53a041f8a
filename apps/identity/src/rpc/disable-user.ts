import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, parameters, parse, reason } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { disableUser as disable } from '../operations/disable-user.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ userId: z.string(), reason });
const place = parameters({ reason: 'reason' });

export const disableUser: Rpc<'identityAdministration.DisableUser', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const disabled = parse(requestSchema, request, 'The reason is not valid.', place);
    const user = await disable(database, idToFind(disabled.userId), disabled.reason, actorOf(call));
    logger.info({ userId: user.id }, 'user disabled');
    return userMessage(user);
  };
