import { actorOf } from '@saleschannel/audit';
import { forbidden } from '@saleschannel/errors';
import { accountHolderOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { date, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { INVALID_EXPIRY } from '../domain/key.ts';
import { isWorkingRegistry } from '../neighbours/account-holders.ts';
import { createRegistryKey as create } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

const requestSchema = z.object({ expiresAt: date });

export const createRegistryKey: Rpc<'identity.CreateRegistryKey', Context> = (context) => async (request, call) => {
  const { userId: createdBy, keyId: madeWithKeyId } = userOf(call);
  const owner = { accountHolderId: accountHolderOf(call), createdBy, madeWithKeyId };
  // The token says so as of a moment ago. A key lasts for years.
  if (!(await isWorkingRegistry(context, owner.accountHolderId, call))) throw forbidden();
  const { expiresAt } = parse(requestSchema, request, INVALID_EXPIRY);
  return answerOnce(
    'identity.CreateRegistryKey',
    { ...context, call, request },
    (database) => create({ ...context, database }, owner, expiresAt, actorOf(call)),
    createdKeyMessage,
  );
};
