import type { Rpc } from '@saleschannel/grpc';
import { operatorPage, parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId, subject } from '../domain/user.ts';
import { listUsers as list } from '../store/users.ts';
import { userMessage } from './messages.ts';

const requestSchema = operatorPage.extend({
  accountHolderId: accountHolderId.optional(),
  subject: subject.optional(),
  disabled: z.boolean().optional(),
});
const place = parameters({ limit: 'limit', after: 'after', accountHolderId: 'accountHolderId', subject: 'subject' });

export const listUsers: Rpc<'identityAdministration.ListUsers', Context> =
  ({ database }) =>
  async (request) => {
    const wanted = parse(requestSchema, request, 'The users cannot be listed.', place);
    return { users: (await list(database.em(), wanted)).map(userMessage) };
  };
