import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

/**
 * It takes one transaction, and rbac is who has what it changes. Webhook endpoints go after that: a reset that is
 * refused takes nothing away. They are asked for before, so that nobody moves while they cannot go. The idempotency key
 * goes on to rbac, which keeps the answer.
 */
export const reset: Rpc<'sandbox.Reset', Context> =
  ({ rbac, endpoints }) =>
  async (_request, call) => {
    const asUser = { within: call, forPrincipal: true } as const;
    await endpoints.LeaveEndpoints({ dryRun: true }, asUser);
    const { salesChannelId, previousSalesChannelId } = await rbac.ReplaceSalesChannel({}, asUser);
    // Who repeats a request may act on the new channel by now, whose endpoints stay.
    if (salesChannelOf(call) === previousSalesChannelId) await endpoints.LeaveEndpoints({ dryRun: false }, asUser);
    return { salesChannelId, previousSalesChannelId };
  };
