import { actorOf } from '@saleschannel/audit';
import { forbidden, requestRefused } from '@saleschannel/errors';
import { accountHolderOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { date, idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { INVALID_EXPIRY } from '../domain/key.ts';
import { accountHolderId } from '../domain/user.ts';
import { findAccountHolder, isWorkingRegistry } from '../neighbours/account-holders.ts';
import { createRegistryKey as create } from '../operations/create-key.ts';
import { deleteRegistryKey as remove } from '../operations/delete-key.ts';
import { listRegistryKeys as list } from '../store/keys.ts';
import { toCreatedKeyMessage } from './messages.ts';

export const listRegistryKeys: Rpc<'identity.ListRegistryKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await list(database.em(), accountHolderOf(call)) });

const createRegistryKeyRequest = z.object({ expiresAt: date });

export const createRegistryKey: Rpc<'identity.CreateRegistryKey', Context> = (context) => async (request, call) => {
  const { userId: createdBy, keyId: madeWithKeyId } = userOf(call);
  const owner = { accountHolderId: accountHolderOf(call), createdBy, madeWithKeyId };
  // Checked again, because the token may be seconds old and the key lasts for years.
  if (!(await isWorkingRegistry(context, owner.accountHolderId, call))) throw forbidden();
  const { expiresAt } = parse(createRegistryKeyRequest, request, INVALID_EXPIRY);
  return answerOnce(
    'identity.CreateRegistryKey',
    { ...context, call, request },
    (database) => create({ ...context, database }, owner, expiresAt, actorOf(call)),
    toCreatedKeyMessage,
  );
};

export const deleteRegistryKey: Rpc<'identity.DeleteRegistryKey', Context> =
  (context) =>
  async ({ id }, call) => {
    const accountHolderId = accountHolderOf(call);
    return remove(context, idToFind(id), accountHolderId, actorOf(call));
  };

const issueRegistryKeyRequest = z.object({ accountHolderId, expiresAt: date });
const issueRegistryKeyParameters = parameters({ accountHolderId: 'accountHolderId' });

export const issueRegistryKey: Rpc<'userDirectory.IssueRegistryKey', Context> = (context) => async (request, call) => {
  const { expiresAt, ...owner } = parse(
    issueRegistryKeyRequest,
    request,
    'The registry key is not valid.',
    issueRegistryKeyParameters,
  );
  const holder = await findAccountHolder(context, owner.accountHolderId, call);
  if (!holder) throw requestRefused('The account holder does not exist.');
  if (holder.kind !== 'REGISTRY')
    throw requestRefused('The account holder is not a registry, so its keys would not be valid. Set its kind first.');
  return toCreatedKeyMessage(await create(context, owner, expiresAt, actorOf(call)));
};
