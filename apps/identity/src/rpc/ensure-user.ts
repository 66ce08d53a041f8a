import type { Rpc } from '@saleschannel/grpc';
import { parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { issuer, subject } from '../domain/user.ts';
import { ensureUser as ensure } from '../operations/ensure-user.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ issuer, subject });
const place = parameters({ issuer: 'issuer', subject: 'subject' });

export const ensureUser: Rpc<'userDirectory.EnsureUser', Context> =
  ({ database }) =>
  async (request) =>
    userMessage(await ensure(database, parse(requestSchema, request, 'The user is not valid.', place)));
