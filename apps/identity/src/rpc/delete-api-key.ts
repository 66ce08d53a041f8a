import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { deleteApiKey as remove } from '../operations/delete-key.ts';
import { keyMessage } from './messages.ts';

export const deleteApiKey: Rpc<'identity.DeleteApiKey', Context> =
  (context) =>
  async ({ id, descendants: withDescendants }, call) => {
    const { userId } = userOf(call);
    return keyMessage(await remove(context, idToFind(id), { userId, withDescendants }, actorOf(call)));
  };
