import type { Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { pageOfFacilities } from '../store/facilities.ts';
import { facilityForRegistry } from './messages.ts';

export const listFacilities: Rpc<'ledger.ListFacilities', Context> =
  ({ database }) =>
  async (request) => {
    const { total, rows } = await pageOfFacilities(database.em(), readPage(request.page));
    return { total, facilities: rows.map(facilityForRegistry) };
  };
