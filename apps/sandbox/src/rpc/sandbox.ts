import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { scopeOf } from '@saleschannel/idempotency/in-memory';
import { fault, parse } from '@saleschannel/primitives/validation';
import { sandboxKinds } from '@saleschannel/sdk';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { triggers, type Kind } from '../operations/outcomes.ts';

const webhookKinds: readonly Kind[] = ['webhook-down', 'webhook-late'];
/** Default duration or delay of a webhook fault. */
const FAULT_SECONDS = 60;

const onlyForWebhooks = { code: 'not-allowed', detail: 'is allowed only for webhook-down and webhook-late' } as const;

const triggerRequest = z
  .object({ kind: z.enum(sandboxKinds), webhookEndpointId: z.string().optional(), seconds: z.int().optional() })
  .check(({ value, issues }) => {
    if (webhookKinds.includes(value.kind)) return;
    for (const member of ['webhookEndpointId', 'seconds'] as const)
      if (value[member] !== undefined) issues.push({ ...fault(onlyForWebhooks, value[member]), path: [member] });
  });

export const trigger: Rpc<'sandbox.Trigger', Context> = (context) => async (request, call) => {
  const {
    kind,
    webhookEndpointId,
    seconds = FAULT_SECONDS,
  } = parse(triggerRequest, request, 'The event cannot be triggered.');
  const { idempotencyKey: key } = call;
  // The key covers the whole request, so nested calls carry none.
  const within = { ...call, idempotencyKey: undefined };
  return context.answers.answerOnce(
    { scope: scopeOf(call), operation: 'sandbox.Trigger', key, request, onReplayed: () => call.markReplayed() },
    () => triggers[kind](context, within, { webhookEndpointId, seconds }),
  );
};

/**
 * Replaces the caller's channel. rbac does so in one transaction and keeps the answer of the idempotency key. The dry
 * run checks first that webhooks is available. Endpoints are deleted last, so that a refused reset changes nothing.
 */
export const reset: Rpc<'sandbox.Reset', Context> =
  ({ rbac, endpoints }) =>
  async (_request, call) => {
    const asUser = { within: call, forPrincipal: true } as const;
    await endpoints.LeaveEndpoints({ dryRun: true }, asUser);
    const { salesChannelId, previousSalesChannelId } = await rbac.ReplaceSalesChannel({}, asUser);
    // A retry may come from a user of the new channel, which must keep its endpoints.
    if (salesChannelOf(call) === previousSalesChannelId) await endpoints.LeaveEndpoints({ dryRun: false }, asUser);
    return { salesChannelId, previousSalesChannelId };
  };
