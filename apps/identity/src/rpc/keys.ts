import { actorOf } from '@saleschannel/audit';
import { forbidden, requestRefused } from '@saleschannel/errors';
import { accountHolderOf, userOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { date, id, idToFind, operatorPage, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { INVALID_EXPIRY, keyName } from '../domain/credentials.ts';
import { accountHolderId } from '../domain/user.ts';
import { findAccountHolder, isWorkingRegistry } from '../neighbours/rights.ts';
import * as operations from '../operations/keys.ts';
import * as store from '../store/keys.ts';

const toCreatedKeyMessage = ({
  key: { id, createdAt, expiresAt },
  secret,
}: operations.CreatedKey): ResponseOf<'identity.CreateApiKey'> => ({
  key: { id, createdOn: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  secret,
});

export const listApiKeys: Rpc<'identity.ListApiKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await store.listApiKeys(database.em(), userOf(call).userId) });

export const createApiKey: Rpc<'identity.CreateApiKey', Context> = (context) => async (request, call) => {
  const { userId, keyId } = userOf(call);
  return answerOnce(
    'identity.CreateApiKey',
    { ...context, call, request },
    (database) => operations.createApiKey({ ...context, database }, { userId, madeWithKeyId: keyId }, actorOf(call)),
    toCreatedKeyMessage,
  );
};

export const deleteApiKey: Rpc<'identity.DeleteApiKey', Context> =
  (context) =>
  async ({ id, descendants: withDescendants }, call) => {
    const { userId } = userOf(call);
    return operations.deleteApiKey(context, idToFind(id), { userId, withDescendants }, actorOf(call));
  };

export const issueApiKey: Rpc<'userDirectory.IssueApiKey', Context> =
  (context) =>
  async ({ userId }, call) =>
    toCreatedKeyMessage(await operations.createApiKey(context, { userId: idToFind(userId) }, actorOf(call)));

export const listRegistryKeys: Rpc<'identity.ListRegistryKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await store.listRegistryKeys(database.em(), accountHolderOf(call)) });

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
    (database) => operations.createRegistryKey({ ...context, database }, owner, expiresAt, actorOf(call)),
    toCreatedKeyMessage,
  );
};

export const deleteRegistryKey: Rpc<'identity.DeleteRegistryKey', Context> =
  (context) =>
  async ({ id }, call) => {
    const accountHolderId = accountHolderOf(call);
    return operations.deleteRegistryKey(context, idToFind(id), accountHolderId, actorOf(call));
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
  return toCreatedKeyMessage(await operations.createRegistryKey(context, owner, expiresAt, actorOf(call)));
};

const toKeyDetailMessage = ({
  name,
  lastUsedOn,
  madeWithKeyId,
  ...key
}: store.KeyDetail): ResponseOf<'identity.NameKey'> => ({
  ...key,
  ...(name === null ? {} : { name }),
  ...(lastUsedOn === null ? {} : { lastUsedOn }),
  ...(madeWithKeyId === null ? {} : { madeWithKeyId }),
});

export const listKeyDetails: Rpc<'identity.ListKeyDetails', Context> =
  ({ database }) =>
  async (_request, call) => ({
    keys: (await store.listKeyDetails(database.em(), userOf(call))).map(toKeyDetailMessage),
  });

const nameKeyRequest = z.object({ name: keyName.optional() });

export const nameKey: Rpc<'identity.NameKey', Context> =
  ({ database }) =>
  async (request, call) => {
    const owner = userOf(call);
    const { name = null } = parse(nameKeyRequest, request, 'The name is not valid.');
    return toKeyDetailMessage(await operations.nameKey(database, idToFind(request.id), name, owner, actorOf(call)));
  };

type KeyRecordMessage = NonNullable<ResponseOf<'identityAdministration.ListKeys'>['keys']>[number];

const toKeyRecordMessage = ({ userId, accountHolderId, madeWithKeyId, ...key }: store.KeyRecord): KeyRecordMessage => ({
  ...key,
  ...(userId === null ? {} : { userId }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(madeWithKeyId === null ? {} : { madeWithKeyId }),
});

const listKeysRequest = operatorPage.extend({
  userId: id.optional(),
  accountHolderId: id.optional(),
  madeWithKeyId: id.optional(),
});
const listKeysParameters = parameters({
  limit: 'limit',
  after: 'after',
  userId: 'userId',
  accountHolderId: 'accountHolderId',
  madeWithKeyId: 'madeWithKeyId',
});

export const listKeys: Rpc<'identityAdministration.ListKeys', Context> =
  ({ database }) =>
  async (request) => {
    const filter = parse(listKeysRequest, request, 'The keys cannot be listed.', listKeysParameters);
    return { keys: (await store.listKeyRecords(database.em(), filter)).map(toKeyRecordMessage) };
  };

export const revokeKey: Rpc<'identityAdministration.RevokeKey', Context> =
  (context) =>
  async ({ keyId }, call) => ({ keyIds: await operations.revokeKey(context, idToFind(keyId), actorOf(call)) });

export const revokeUserKeys: Rpc<'identityAdministration.RevokeUserKeys', Context> =
  (context) =>
  async ({ userId }, call) => ({ keyIds: await operations.revokeUserKeys(context, idToFind(userId), actorOf(call)) });
