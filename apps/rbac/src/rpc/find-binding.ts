import { askerOf, type Rpc } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { salesChannelMessage } from './messages.ts';

/** Identity calls this to authenticate a user. A user without a binding is no error: they have no rights. */
export const findBinding: Rpc<'bindingDirectory.FindBinding', Context> =
  ({ findBinding: find }) =>
  async ({ userId }, call) => {
    const found = isId(userId) ? await find({ userId }, askerOf(call)) : undefined;
    return found ? { binding: found.binding, salesChannel: salesChannelMessage(found.salesChannel) } : {};
  };
