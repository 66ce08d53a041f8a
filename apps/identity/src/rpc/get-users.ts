import type { Rpc } from '@saleschannel/grpc';
import { isStorable, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findUsers } from '../store/users.ts';
import { userMessage } from './messages.ts';

const IDS_AT_MOST = 10_000;

/** Ids that no user can have are left out, as unknown ones are. */
const requestSchema = z.object({
  userIds: z
    .array(z.string())
    .max(IDS_AT_MOST)
    .transform((ids) => ids.filter(isStorable)),
});

export const getUsers: Rpc<'userDirectory.GetUsers', Context> =
  ({ database }) =>
  async (request) => {
    const { userIds } = parse(requestSchema, request, 'The users cannot be looked up.');
    return { users: (await findUsers(database.em(), userIds)).map(userMessage) };
  };
