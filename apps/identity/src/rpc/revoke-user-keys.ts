import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { revokeUserKeys as revoke } from '../operations/delete-key.ts';

export const revokeUserKeys: Rpc<'identityAdministration.RevokeUserKeys', Context> =
  (context) =>
  async ({ userId }, call) => ({ keyIds: await revoke(context, idToFind(userId), actorOf(call)) });
