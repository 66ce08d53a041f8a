import type { CreatedKey__Output } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { Key__Output } from '@saleschannel/contracts/gen/identity/v1/Key';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handler } from '../http/pipeline.ts';

const keyOf = ({ id, createdOn, expiresAt }: Key__Output) => ({ id, createdOn, expiresAt });

const createdKeyOf = ({ key, secret }: CreatedKey__Output) => {
  if (!key) throw new Error('identity answered without the key');
  return { key: keyOf(key), secret };
};

/** API keys of the signed-in user. */
export const apiKeys = ({ identity }: Clients) =>
  ({
    listOwnApiKeys: async ({ call }) => json(200, (await identity.ListApiKeys({}, call)).keys.map(keyOf)),
    createApiKey: async ({ call }) => {
      const { key, secret } = createdKeyOf(await identity.CreateApiKey({}, call));
      return json(201, { ...key, passphrase: secret });
    },
    deleteApiKey: async ({ call, path }) =>
      json(200, keyOf(await identity.DeleteApiKey({ id: path['apiKeyId'] ?? '' }, call))),
  }) satisfies Record<string, Handler>;

/** Registry keys of the account holder that the signed-in user belongs to. */
export const accountPortal = ({ identity }: Clients) =>
  ({
    listRegistryKeys: async ({ call, user }) => {
      const { accountHolderId } = user;
      return json(
        200,
        (await identity.ListRegistryKeys({}, call)).keys.map((key) => ({ ...keyOf(key), accountHolderId })),
      );
    },
    createRegistryKey: async ({ call, user, body }) => {
      const { expiresAt } = body as { expiresAt: string };
      const { key, secret } = createdKeyOf(await identity.CreateRegistryKey({ expiresAt }, call));
      return json(201, { ...key, accountHolderId: user.accountHolderId, secret });
    },
    deleteRegistryKey: async ({ call, user, path }) => {
      const key = await identity.DeleteRegistryKey({ id: path['registryKeyId'] ?? '' }, call);
      return json(200, { ...keyOf(key), accountHolderId: user.accountHolderId });
    },
  }) satisfies Record<string, Handler>;
