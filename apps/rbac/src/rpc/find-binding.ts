import type { Rpc } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findBinding as find } from '../store/bindings.ts';

/** Identity calls this to authenticate a user. A user without a binding is no error: they have no rights. */
export const findBinding: Rpc<'bindingDirectory.FindBinding', Context> =
  ({ database }) =>
  async ({ userId }) =>
    isId(userId) ? { binding: await find(database.em(), userId) } : {};
