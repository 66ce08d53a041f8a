import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listEndpoints as list } from '../store/endpoints.ts';
import { endpointMessage } from './messages.ts';

export const listEndpoints: Rpc<'webhooks.ListEndpoints', Context> =
  ({ database, clock }) =>
  async (_request, call) => {
    const endpoints = await list(database.em(), salesChannelOf(call), clock.now().toISOString());
    return { endpoints: endpoints.map(endpointMessage) };
  };
