import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { id, idToFind, operatorPage, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { keyName } from '../domain/key.ts';
import { revokeKey as revoke, revokeUserKeys as revokeAll } from '../operations/delete-key.ts';
import { nameKey as rename } from '../operations/name-key.ts';
import { listKeyDetails as list } from '../store/key-details.ts';
import { listKeyRecords } from '../store/keys.ts';
import { toKeyDetailMessage, toKeyRecordMessage } from './messages.ts';

export const listKeyDetails: Rpc<'identity.ListKeyDetails', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: (await list(database.em(), userOf(call))).map(toKeyDetailMessage) });

const nameKeyRequest = z.object({ name: keyName.optional() });

export const nameKey: Rpc<'identity.NameKey', Context> =
  ({ database }) =>
  async (request, call) => {
    const owner = userOf(call);
    const { name = null } = parse(nameKeyRequest, request, 'The name is not valid.');
    return toKeyDetailMessage(await rename(database, idToFind(request.id), name, owner, actorOf(call)));
  };

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
    return { keys: (await listKeyRecords(database.em(), filter)).map(toKeyRecordMessage) };
  };

export const revokeKey: Rpc<'identityAdministration.RevokeKey', Context> =
  (context) =>
  async ({ keyId }, call) => ({ keyIds: await revoke(context, idToFind(keyId), actorOf(call)) });

export const revokeUserKeys: Rpc<'identityAdministration.RevokeUserKeys', Context> =
  (context) =>
  async ({ userId }, call) => ({ keyIds: await revokeAll(context, idToFind(userId), actorOf(call)) });
