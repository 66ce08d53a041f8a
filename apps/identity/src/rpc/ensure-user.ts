import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { issuer, subject } from '../domain/user.ts';
import { ensureUser as ensure } from '../operations/ensure-user.ts';
import { userMessage } from './messages.ts';

const requestSchema = z.object({ issuer, subject });
const place = parameters({ issuer: 'issuer', subject: 'subject' });

export const ensureUser: Rpc<'userDirectory.EnsureUser', Context> =
  ({ database }) =>
  async (request, call) => {
    const claims = parse(requestSchema, request, 'The user is not valid.', place);
    return answerOnce(
      'userDirectory.EnsureUser',
      { database, call, request },
      (transactional) => transactional.transaction((em) => ensure({ em: () => em }, claims)),
      userMessage,
    );
  };
