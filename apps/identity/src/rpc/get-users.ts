import type { Rpc } from '@saleschannel/grpc';
import { idListToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findUsers } from '../store/users.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ userIds: idListToFind });

export const getUsers: Rpc<'userDirectory.GetUsers', Context> =
  ({ database }) =>
  async (request) => {
    const { userIds } = parse(requestSchema, request, 'The users cannot be looked up.');
    return { users: (await findUsers(database.em(), userIds)).map(userMessage) };
  };
