import { access, isAllowed } from '@saleschannel/auth';
import { forbidden, notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findBinding } from '../store/bindings.ts';

export const getUserBinding: Rpc<'rbac.GetUserBinding', Context> =
  ({ database }) =>
  async ({ userId }, call) => {
    const caller = userOf(call);
    if (!isAllowed(access.getUserBinding, caller, userId)) throw forbidden();
    const binding = await findBinding(database.em(), idToFind(userId));
    const isVisible = userId === caller.userId || binding?.salesChannelId === caller.salesChannelId;
    if (!binding || !isVisible) throw notFound();
    return binding;
  };
