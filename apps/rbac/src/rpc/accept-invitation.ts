import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { isWellFormedSecret } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findUsers } from '../neighbours/users.ts';
import { acceptInvitation as accept } from '../operations/invitations.ts';

export const acceptInvitation: Rpc<'rbac.AcceptInvitation', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const { token } = request;
    const { userId } = userOf(call);
    // What does not look like a token needs no look-up. That tells senders nothing but what they can see themselves.
    if (!isWellFormedSecret(token, 'scs_inv')) throw notFound();
    const user = (await findUsers(identity, [userId], call)).get(userId);
    if (!user) throw notFound();
    const { email, emailVerified } = user;
    const invited = { userId, email, emailVerified };
    return answerOnce(
      'rbac.AcceptInvitation',
      { database, call, request },
      (transactional) => accept(transactional, token, invited, actorOf(call)),
      (binding) => binding,
    );
  };
