import type { Rpc } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findBinding as find } from '../store/bindings.ts';

/** On the way of every authentication. Nobody is unknown here: whoever has no binding has no rights. */
export const findBinding: Rpc<'bindingDirectory.FindBinding', Context> =
  ({ database }) =>
  async ({ userId }) =>
    isId(userId) ? { binding: await find(database.em(), userId) } : {};
