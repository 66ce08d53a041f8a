import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findEndpoint } from '../store/endpoints.ts';
import { endpointMessage } from './messages.ts';

export const getEndpoint: Rpc<'webhooks.GetEndpoint', Context> =
  ({ database, clock }) =>
  async ({ endpointId }, call) => {
    const now = clock.now().toISOString();
    const endpoint = await findEndpoint(database.em(), idToFind(endpointId), salesChannelOf(call), now);
    if (!endpoint) throw notFound();
    return endpointMessage(endpoint);
  };
