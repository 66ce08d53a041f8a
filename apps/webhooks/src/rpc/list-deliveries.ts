import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse, readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { deliveryFilter } from '../domain/delivery.ts';
import { deliveriesOf } from '../store/deliveries.ts';
import { findEndpoint } from '../store/endpoints.ts';
import { deliveryMessage } from './messages.ts';

export const listDeliveries: Rpc<'webhooks.ListDeliveries', Context> =
  ({ reads, clock }) =>
  async ({ endpointId, ascending, ...request }, call) => {
    const id = idToFind(endpointId);
    const title = 'The list cannot be filtered this way.';
    const filter = parse(deliveryFilter, request.filter ?? {}, title, () => ({ parameter: '$filter' }));
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), async (em) => {
      if (!(await findEndpoint(em, id, salesChannelOf(call), clock.now().toISOString()))) throw notFound();
      return deliveriesOf(em, id, filter, ascending, asked);
    });
    return { deliveries: rows.map(deliveryMessage), ...(next === undefined ? {} : { next }) };
  };
