import { notFound } from '@saleschannel/errors';
import { askerOf, userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

export const getOwnBinding: Rpc<'rbac.GetOwnBinding', Context> =
  ({ findBinding }) =>
  async (_request, call) => {
    const { userId } = userOf(call);
    const found = await findBinding({ userId }, askerOf(call));
    if (!found) throw notFound();
    return found.binding;
  };
