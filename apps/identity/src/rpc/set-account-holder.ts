import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId } from '../domain/user.ts';
import { setAccountHolder as set } from '../operations/set-account-holder.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ userId: z.string(), accountHolderId: accountHolderId.optional() });
const place = parameters({ accountHolderId: 'accountHolderId' });

export const setAccountHolder: Rpc<'userDirectory.SetAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const { userId, accountHolderId: holder } = parse(
      requestSchema,
      request,
      'The account holder is not valid.',
      place,
    );
    return userMessage(await set(database, idToFind(userId), holder, actorOf(call)));
  };
