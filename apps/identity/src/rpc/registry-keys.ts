import type { CreatedKey } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { CreateRegistryKeyRequest__Output } from '@saleschannel/contracts/gen/identity/v1/CreateRegistryKeyRequest';
import type { DeleteKeyRequest__Output } from '@saleschannel/contracts/gen/identity/v1/DeleteKeyRequest';
import type { Key } from '@saleschannel/contracts/gen/identity/v1/Key';
import type { ListRegistryKeysResponse } from '@saleschannel/contracts/gen/identity/v1/ListRegistryKeysResponse';
import { forbidden } from '@saleschannel/errors';
import { userOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createRegistryKey as create } from '../operations/create-key.ts';
import { deleteRegistryKey as remove } from '../operations/delete-key.ts';
import { registryKeysOf } from '../store/keys.ts';
import { createdKeyMessage, keyMessage } from './messages.ts';

/** @throws DomainError 'forbidden' for a user who belongs to no account holder */
function ownerOf(call: Call): { accountHolderId: string; createdBy: string } {
  const { userId, accountHolderId } = userOf(call);
  if (accountHolderId === undefined) throw forbidden();
  return { accountHolderId, createdBy: userId };
}

export const listRegistryKeys =
  (context: Context) =>
  async (_request: object, call: Call): Promise<ListRegistryKeysResponse> => {
    const keys = await registryKeysOf(context.database.em(), ownerOf(call).accountHolderId);
    return { keys: keys.map(keyMessage) };
  };

export const createRegistryKey =
  (context: Context) =>
  async ({ expiresAt }: CreateRegistryKeyRequest__Output, call: Call): Promise<CreatedKey> =>
    createdKeyMessage(await create(context, ownerOf(call), expiresAt));

export const deleteRegistryKey =
  (context: Context) =>
  async ({ id }: DeleteKeyRequest__Output, call: Call): Promise<Key> =>
    keyMessage(await remove(context, id, ownerOf(call).accountHolderId));
