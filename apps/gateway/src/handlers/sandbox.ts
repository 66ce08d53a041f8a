import { notFound } from '@saleschannel/errors';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';

/** Long, because the service waits for the triggered event. */
const TIMEOUT_MS = 20_000;

/** Creates the handlers of sandbox operations, which are not found outside a sandbox. */
export function createSandboxHandlers({ sandbox: service }: Clients) {
  const requireSandbox = (): ServiceClient<'sandbox'> => {
    if (!service) throw notFound();
    return service;
  };
  return {
    triggerSandboxEvent: async ({ body }, { callOptions, disconnected }) => {
      const options = { ...callOptions, signal: disconnected, timeoutMs: TIMEOUT_MS };
      const { message, webhookEndpointIds, ...rest } = await requireSandbox().Trigger(body, options);
      const { traderId, taskId, transactionId, proposalId, until } = rest;
      return createJsonAnswer(201, {
        kind: body.kind,
        message,
        traderId: traderId ?? null,
        taskId: taskId ?? null,
        transactionId: transactionId ?? null,
        proposalId: proposalId ?? null,
        webhookEndpointIds,
        until: until ?? null,
      });
    },
    resetSandbox: async (_input, { callOptions }) => {
      const { salesChannelId, previousSalesChannelId } = await requireSandbox().Reset({}, callOptions);
      return createJsonAnswer(200, { salesChannelId, previousSalesChannelId });
    },
  } satisfies Partial<Handlers>;
}
