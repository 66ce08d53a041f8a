import { pick } from '@saleschannel/edge';
import { forbidden } from '@saleschannel/errors';
import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';

const toKey = (key: NonNullable<ReplyOf<'identity.CreateApiKey'>['key']>) => pick(key, 'id', 'createdOn', 'expiresAt');

const toCreatedKey = ({ key, secret }: ReplyOf<'identity.CreateApiKey'>) => {
  if (!key) throw new Error('identity answered without the key');
  return { key: toKey(key), secret };
};

/** API keys of the signed-in user. The public contract calls the secret of an API key its passphrase. */
export const createApiKeyHandlers = ({ identity }: Clients) =>
  ({
    listOwnApiKeys: async (_input, { callOptions }) =>
      createJsonAnswer(200, (await identity.ListApiKeys({}, callOptions)).keys.map(toKey)),
    createApiKey: async (_input, { callOptions }) => {
      const { key, secret } = toCreatedKey(await identity.CreateApiKey({}, callOptions));
      return createJsonAnswer(201, { ...key, passphrase: secret });
    },
    deleteApiKey: async ({ path, query: { descendants } }, { callOptions }) =>
      createJsonAnswer(200, toKey(await identity.DeleteApiKey({ id: path.apiKeyId, descendants }, callOptions))),
  }) satisfies Partial<Handlers>;

const toKeyDetail = (key: ReplyOf<'identity.NameKey'>) => ({
  ...pick(key, 'id', 'kind'),
  name: key.name ?? null,
  ...pick(key, 'createdOn', 'expiresAt'),
  lastUsedOn: key.lastUsedOn ?? null,
  madeWith: key.madeWithKeyId ?? null,
});

/** Keys of both kinds, with their names, use and origin. */
export const createKeyDetailHandlers = ({ identity }: Clients) =>
  ({
    listKeyDetails: async (_input, { callOptions }) =>
      createJsonAnswer(200, (await identity.ListKeyDetails({}, callOptions)).keys.map(toKeyDetail)),
    nameKey: async ({ path, body: { name } }, { callOptions }) =>
      createJsonAnswer(
        200,
        toKeyDetail(await identity.NameKey({ id: path.keyId, ...(name !== null && { name }) }, callOptions)),
      ),
  }) satisfies Partial<Handlers>;

/** @throws DomainError 'forbidden' without an account holder, which the access rule has excluded */
function requireAccountHolder({ user }: RequestContext): string {
  if (user.accountHolderId === undefined) throw forbidden();
  return user.accountHolderId;
}

export const createRegistryKeyHandlers = ({ identity }: Clients) =>
  ({
    listRegistryKeys: async (_input, context) => {
      const accountHolderId = requireAccountHolder(context);
      const { keys } = await identity.ListRegistryKeys({}, context.callOptions);
      return createJsonAnswer(
        200,
        keys.map((key) => ({ ...toKey(key), accountHolderId })),
      );
    },
    createRegistryKey: async ({ body: { expiresAt } }, context) => {
      const accountHolderId = requireAccountHolder(context);
      const { key, secret } = toCreatedKey(await identity.CreateRegistryKey({ expiresAt }, context.callOptions));
      return createJsonAnswer(201, { ...key, accountHolderId, secret });
    },
    deleteRegistryKey: async ({ path }, context) => {
      const accountHolderId = requireAccountHolder(context);
      const key = await identity.DeleteRegistryKey({ id: path.registryKeyId }, context.callOptions);
      return createJsonAnswer(200, { ...toKey(key), accountHolderId });
    },
  }) satisfies Partial<Handlers>;
