import type { Rpc } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findBindingAndChannel } from '../store/bindings.ts';
import { salesChannelMessage } from './messages.ts';

/** Identity calls this to authenticate a user. A user without a binding is no error: they have no rights. */
export const findBinding: Rpc<'bindingDirectory.FindBinding', Context> =
  ({ database }) =>
  async ({ userId }) => {
    const found = isId(userId) ? await findBindingAndChannel(database.em(), userId) : undefined;
    return found ? { binding: found.binding, salesChannel: salesChannelMessage(found.salesChannel) } : {};
  };
