import type { CreatedKey } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { DeleteKeyRequest__Output } from '@saleschannel/contracts/gen/identity/v1/DeleteKeyRequest';
import type { Key } from '@saleschannel/contracts/gen/identity/v1/Key';
import type { ListApiKeysResponse } from '@saleschannel/contracts/gen/identity/v1/ListApiKeysResponse';
import { userOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createApiKey as create } from '../operations/create-key.ts';
import { deleteApiKey as remove } from '../operations/delete-key.ts';
import { apiKeysOf } from '../store/keys.ts';
import { createdKeyMessage, keyMessage } from './messages.ts';

export const listApiKeys =
  (context: Context) =>
  async (_request: object, call: Call): Promise<ListApiKeysResponse> => {
    const keys = await apiKeysOf(context.database.em(), userOf(call).userId);
    return { keys: keys.map(keyMessage) };
  };

export const createApiKey =
  (context: Context) =>
  async (_request: object, call: Call): Promise<CreatedKey> =>
    createdKeyMessage(await create(context, userOf(call).userId));

export const deleteApiKey =
  (context: Context) =>
  async ({ id }: DeleteKeyRequest__Output, call: Call): Promise<Key> =>
    keyMessage(await remove(context, id, userOf(call).userId));
