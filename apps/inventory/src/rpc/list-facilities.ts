import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { pageOfFacilities } from '../store/facilities.ts';
import { facilityForRegistry } from './messages.ts';

export const listFacilities: Rpc<'ledger.ListFacilities', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => pageOfFacilities(em, asked));
    return { total, next, facilities: rows.map(facilityForRegistry) };
  };
