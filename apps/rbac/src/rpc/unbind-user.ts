import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { targetIn } from '../domain/binding.ts';
import { unbindUser as unbind } from '../operations/change-binding.ts';

export const unbindUser: Rpc<'rbac.UnbindUser', Context> =
  ({ database }) =>
  async (request, call) =>
    unbind(database, targetIn(salesChannelOf(call), request), actorOf(call));
