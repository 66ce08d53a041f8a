import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

/** It takes one transaction, and rbac is who has what it changes. */
export const reset: Rpc<'sandbox.Reset', Context> =
  ({ rbac }) =>
  async (_request, call) => {
    const { salesChannelId, previousSalesChannelId } = await rbac.ReplaceSalesChannel(
      {},
      { within: call, forPrincipal: true },
    );
    return { salesChannelId, previousSalesChannelId };
  };
