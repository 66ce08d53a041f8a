import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { roleChange, targetIn } from '../domain/binding.ts';
import { removeRole as remove } from '../operations/change-binding.ts';

const place = parameters({ role: 'role' });

export const removeRole: Rpc<'rbac.RemoveRole', Context> =
  ({ database }) =>
  async (request, call) => {
    const ownChannelId = salesChannelOf(call);
    const { role, ...named } = parse(roleChange, request, 'The role is not valid.', place);
    const target = targetIn(ownChannelId, named);
    await remove(database, target, role, actorOf(call));
    return { ...target, role };
  };
