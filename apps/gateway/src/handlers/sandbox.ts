import { notFound } from '@saleschannel/errors';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';

/** What is triggered is waited for. */
const TIMEOUT_MS = 20_000;

/** What happens on demand in a sandbox. Elsewhere nobody is asked. */
export function sandbox({ sandbox: service }: Clients): Pick<Handlers, 'triggerSandboxEvent' | 'resetSandbox'> {
  const asked = (): ServiceClient<'sandbox'> => {
    if (!service) throw notFound();
    return service;
  };
  return {
    triggerSandboxEvent: async ({ body }, { call, gone }) => {
      const options = { ...call, signal: gone, timeoutMs: TIMEOUT_MS };
      const { message, webhookEndpointIds, ...rest } = await asked().Trigger(body, options);
      const { traderId, taskId, transactionId, proposalId, until } = rest;
      return json(201, {
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
    resetSandbox: async (_input, { call }) => {
      const { salesChannelId, previousSalesChannelId } = await asked().Reset({}, call);
      return json(200, { salesChannelId, previousSalesChannelId });
    },
  };
}
