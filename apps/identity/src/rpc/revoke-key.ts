import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { revokeKey as revoke } from '../operations/delete-key.ts';

export const revokeKey: Rpc<'identityAdministration.RevokeKey', Context> =
  (context) =>
  async ({ keyId }, call) => ({ keyIds: await revoke(context, idToFind(keyId), actorOf(call)) });
