import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import type { Context } from '../context.ts';
import { targetIn } from '../domain/binding.ts';
import { bindUser as bind } from '../operations/change-binding.ts';
import { findBinding } from '../store/bindings.ts';
import { userExists } from '../neighbours/users.ts';

export const bindUser: Rpc<'rbac.BindUser', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const target = targetIn(salesChannelOf(call), request);
    // Both are asked in every case: the time of the answer does not tell an unknown user from another channel's.
    const [exists, binding] = await Promise.all([
      userExists(identity, target.userId, call),
      findBinding(database.em(), target.userId),
    ]);
    if (!exists || (binding && binding.salesChannelId !== target.salesChannelId)) throw notFound();
    return answerOnce(
      'rbac.BindUser',
      { database, call, request },
      (transactional) => bind(transactional, target, actorOf(call)),
      (binding) => binding,
    );
  };
