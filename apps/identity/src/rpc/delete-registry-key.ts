import { actorOf } from '@saleschannel/audit';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { deleteRegistryKey as remove } from '../operations/delete-key.ts';
import { keyMessage } from './messages.ts';

export const deleteRegistryKey: Rpc<'identity.DeleteRegistryKey', Context> =
  (context) =>
  async ({ id }, call) => {
    const accountHolderId = accountHolderOf(call);
    return keyMessage(await remove(context, idToFind(id), accountHolderId, actorOf(call)));
  };
