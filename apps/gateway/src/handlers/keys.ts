import { forbidden } from '@saleschannel/errors';
import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';

const toKey = ({ id, createdOn, expiresAt }: NonNullable<ReplyOf<'identity.CreateApiKey'>['key']>) => ({
  id,
  createdOn,
  expiresAt,
});

const toCreatedKey = ({ key, secret }: ReplyOf<'identity.CreateApiKey'>) => {
  if (!key) throw new Error('identity answered without the key');
  return { key: toKey(key), secret };
};

type ApiKeyHandlers = Pick<Handlers, 'listOwnApiKeys' | 'createApiKey' | 'deleteApiKey'>;

/** API keys of the signed-in user. The public contract calls the secret of an API key its passphrase. */
export const createApiKeyHandlers = ({ identity }: Clients): ApiKeyHandlers => ({
  listOwnApiKeys: async (_input, { callOptions }) =>
    createJsonAnswer(200, (await identity.ListApiKeys({}, callOptions)).keys.map(toKey)),
  createApiKey: async (_input, { callOptions }) => {
    const { key, secret } = toCreatedKey(await identity.CreateApiKey({}, callOptions));
    return createJsonAnswer(201, { ...key, passphrase: secret });
  },
  deleteApiKey: async ({ path, query: { descendants } }, { callOptions }) =>
    createJsonAnswer(200, toKey(await identity.DeleteApiKey({ id: path.apiKeyId, descendants }, callOptions))),
});

const toKeyDetail = ({
  id,
  kind,
  name,
  createdOn,
  expiresAt,
  lastUsedOn,
  madeWithKeyId,
}: ReplyOf<'identity.NameKey'>) => ({
  id,
  kind,
  name: name ?? null,
  createdOn,
  expiresAt,
  lastUsedOn: lastUsedOn ?? null,
  madeWith: madeWithKeyId ?? null,
});

/** Keys of both kinds, with their names, use and origin. */
export const createKeyDetailHandlers = ({ identity }: Clients): Pick<Handlers, 'listKeyDetails' | 'nameKey'> => ({
  listKeyDetails: async (_input, { callOptions }) =>
    createJsonAnswer(200, (await identity.ListKeyDetails({}, callOptions)).keys.map(toKeyDetail)),
  nameKey: async ({ path, body: { name } }, { callOptions }) =>
    createJsonAnswer(
      200,
      toKeyDetail(await identity.NameKey({ id: path.keyId, ...(name !== null && { name }) }, callOptions)),
    ),
});

type RegistryKeyHandlers = Pick<Handlers, 'listRegistryKeys' | 'createRegistryKey' | 'deleteRegistryKey'>;

/** @throws DomainError 'forbidden' without an account holder, which the access rule has excluded */
function requireAccountHolder({ user }: RequestContext): string {
  if (user.accountHolderId === undefined) throw forbidden();
  return user.accountHolderId;
}

/** Registry keys of the signed-in user's account holder. */
export const createRegistryKeyHandlers = ({ identity }: Clients): RegistryKeyHandlers => ({
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
});
