import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newEndpoint } from '../domain/endpoint.ts';
import { createEndpoint as create } from '../operations/endpoints.ts';
import { withSecretMessage } from './messages.ts';

export const createEndpoint: Rpc<'webhooks.CreateEndpoint', Context> = (context) => {
  const schema = newEndpoint(context.targetRules);
  return async (request, call) => {
    const maker = { salesChannelId: salesChannelOf(call), createdBy: userOf(call).userId };
    const wanted = parse(schema, request, 'The webhook endpoint is not valid.');
    const owner = { ...maker, atMost: context.endpointsPerChannel };
    const keyed = { ...context, call, request };
    return answerOnce(
      'webhooks.CreateEndpoint',
      keyed,
      (database) => create({ ...context, database }, owner, wanted, actorOf(call)),
      withSecretMessage,
    );
  };
};
