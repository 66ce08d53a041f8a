import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findUser } from '../store/users.ts';
import { userMessage } from './messages.ts';

export const getUser: Rpc<'userDirectory.GetUser', Context> =
  ({ database }) =>
  async ({ userId }) => {
    const user = await findUser(database.em(), idToFind(userId));
    if (!user) throw notFound();
    return userMessage(user);
  };
