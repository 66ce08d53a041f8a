import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { isWellFormedSecret } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findUsers } from '../neighbours/users.ts';
import { acceptInvitation as accept } from '../operations/invitations.ts';

export const acceptInvitation: Rpc<'rbac.AcceptInvitation', Context> =
  ({ database, identity }) =>
  async ({ token }, call) => {
    const { userId } = userOf(call);
    // What does not look like a token needs no look-up. That tells senders nothing but what they can see themselves.
    if (!isWellFormedSecret(token, 'scs_inv')) throw notFound();
    const user = (await findUsers(identity, [userId], call)).get(userId);
    if (!user) throw notFound();
    const { email, emailVerified } = user;
    return accept(database, token, { userId, email, emailVerified }, actorOf(call));
  };
