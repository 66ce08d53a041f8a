import { readerOf, type Rpc } from '@saleschannel/grpc';
import { parse, readChannelPage, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { facilitiesByCode } from '../store/facilities.ts';
import { facilityForChannel } from './messages.ts';

const filter = z.object({ namePart: searchText.optional() });

export const pageProductionFacilities: Rpc<'inventory.PageProductionFacilities', Context> =
  ({ reads }) =>
  async (request, call) => {
    const { namePart } = parse(filter, request, 'The facilities cannot be listed this way.');
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), (em) => facilitiesByCode(em, asked, namePart));
    return { facilities: rows.map(facilityForChannel), next };
  };
