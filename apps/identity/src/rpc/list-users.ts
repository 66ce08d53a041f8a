import type { Rpc } from '@saleschannel/grpc';
import { operatorPage, parameters, parse, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accountHolderId, subject } from '../domain/user.ts';
import { listUsers as list } from '../store/users.ts';
import { userMessage } from './messages.ts';

const requestSchema = operatorPage.extend({
  accountHolderId: accountHolderId.optional(),
  subject: subject.optional(),
  disabled: z.boolean().optional(),
  subjectPart: searchText.optional(),
});
const place = parameters({
  limit: 'limit',
  after: 'after',
  accountHolderId: 'accountHolderId',
  subject: 'subject',
  subjectPart: 'subjectContains',
});

export const listUsers: Rpc<'identityAdministration.ListUsers', Context> =
  ({ database }) =>
  async (request) => {
    const wanted = parse(requestSchema, request, 'The users cannot be listed.', place);
    const found = await list(database.em(), wanted);
    return { users: found.map(userMessage), searched: wanted.subjectPart !== undefined };
  };
