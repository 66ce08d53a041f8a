import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { facilitiesByCode } from '../store/facilities.ts';
import { facilityForChannel } from './messages.ts';

export const pageProductionFacilities: Rpc<'inventory.PageProductionFacilities', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), (em) => facilitiesByCode(em, asked));
    return { facilities: rows.map(facilityForChannel), next };
  };
