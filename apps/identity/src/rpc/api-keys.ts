import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { createApiKey as create } from '../operations/create-key.ts';
import { deleteApiKey as remove } from '../operations/delete-key.ts';
import { listApiKeys as list } from '../store/keys.ts';
import { toCreatedKeyMessage } from './messages.ts';

export const listApiKeys: Rpc<'identity.ListApiKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await list(database.em(), userOf(call).userId) });

export const createApiKey: Rpc<'identity.CreateApiKey', Context> = (context) => async (request, call) => {
  const { userId, keyId } = userOf(call);
  return answerOnce(
    'identity.CreateApiKey',
    { ...context, call, request },
    (database) => create({ ...context, database }, { userId, madeWithKeyId: keyId }, actorOf(call)),
    toCreatedKeyMessage,
  );
};

export const deleteApiKey: Rpc<'identity.DeleteApiKey', Context> =
  (context) =>
  async ({ id, descendants: withDescendants }, call) => {
    const { userId } = userOf(call);
    return remove(context, idToFind(id), { userId, withDescendants }, actorOf(call));
  };

export const issueApiKey: Rpc<'userDirectory.IssueApiKey', Context> =
  (context) =>
  async ({ userId }, call) =>
    toCreatedKeyMessage(await create(context, { userId: idToFind(userId) }, actorOf(call)));
