import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { roleChange, targetIn } from '../domain/binding.ts';
import { grantRole as grant } from '../operations/change-binding.ts';

const place = parameters({ role: 'role' });

export const grantRole: Rpc<'rbac.GrantRole', Context> =
  ({ database }) =>
  async (request, call) => {
    const ownChannelId = salesChannelOf(call);
    const { role, ...named } = parse(roleChange, request, 'The role is not valid.', place);
    const target = targetIn(ownChannelId, named);
    return answerOnce(
      'rbac.GrantRole',
      { database, call, request },
      (transactional) => grant(transactional, target, role, actorOf(call)),
      () => ({ ...target, role }),
    );
  };
