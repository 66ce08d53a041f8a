import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { findBinding } from '../store/bindings.ts';

export const getOwnBinding: Rpc<'rbac.GetOwnBinding', Context> =
  ({ database }) =>
  async (_request, call) => {
    const binding = await findBinding(database.em(), userOf(call).userId);
    if (!binding) throw notFound();
    return binding;
  };
