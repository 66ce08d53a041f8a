import type { Rpc } from '@saleschannel/grpc';
import { scopeOf } from '@saleschannel/idempotency/in-memory';
import { sandboxKinds } from '@saleschannel/sdk';
import { fault, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isOfWebhooks, SECONDS } from '../domain/kind.ts';
import { outcomes } from '../operations/outcomes.ts';

const ofWebhooksAlone = { code: 'not-allowed', detail: 'goes with webhook-down and webhook-late alone' } as const;

const requestSchema = z
  .object({ kind: z.enum(sandboxKinds), webhookEndpointId: z.string().optional(), seconds: z.int().optional() })
  .check(({ value, issues }) => {
    if (isOfWebhooks(value.kind)) return;
    for (const member of ['webhookEndpointId', 'seconds'] as const)
      if (value[member] !== undefined) issues.push({ ...fault(ofWebhooksAlone, value[member]), path: [member] });
  });

export const trigger: Rpc<'sandbox.Trigger', Context> = (context) => async (request, call) => {
  const { kind, webhookEndpointId, seconds = SECONDS } = parse(requestSchema, request, 'This cannot be triggered.');
  const { idempotencyKey: key } = call;
  // The key is that of the whole, and of none of the calls that it takes.
  const within = { ...call, idempotencyKey: undefined };
  return context.answers.answerOnce(
    { scope: scopeOf(call), operation: 'sandbox.Trigger', key, request, onReplayed: () => call.markReplayed() },
    () => outcomes[kind](context, within, { webhookEndpointId, seconds }),
  );
};
