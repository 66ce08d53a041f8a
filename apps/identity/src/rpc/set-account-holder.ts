import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId } from '../domain/user.ts';
import { updateAccountHolder } from '../store/users.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ userId: z.string(), accountHolderId: accountHolderId.optional() });
const place = parameters({ accountHolderId: 'accountHolderId' });

export const setAccountHolder: Rpc<'userDirectory.SetAccountHolder', Context> =
  ({ database }) =>
  async (request) => {
    const { userId, accountHolderId: holder } = parse(
      requestSchema,
      request,
      'The account holder is not valid.',
      place,
    );
    const user = await updateAccountHolder(database.em(), idToFind(userId), holder);
    if (!user) throw notFound();
    return userMessage(user);
  };
