import { readerOf, type Rpc } from '@saleschannel/grpc';
import { id, parameters, parse, readPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findFacilityByCode } from '../store/facilities.ts';
import { pageOfIssuances } from '../store/issuance-lists.ts';
import { issuanceMessage } from './messages.ts';

const filterSchema = z.object({
  productionFacilityCode: id.optional(),
  vintage: z.int().optional(),
  accountHolderId: id.optional(),
});
const place = parameters({
  productionFacilityCode: 'productionFacilityCode',
  vintage: 'vintage',
  accountHolderId: 'accountHolderId',
});

export const listIssuances: Rpc<'ledger.ListIssuances', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const wanted = parse(filterSchema, request, 'The issuances cannot be listed this way.', place);
    const { productionFacilityCode: code, ...filter } = wanted;
    return reads.page(readerOf(call), async (em) => {
      const facility = code === undefined ? undefined : await findFacilityByCode(em, code);
      if (code !== undefined && !facility) return { total: '0', issuances: [] };
      const { total, next, rows } = await pageOfIssuances(em, { ...filter, facilityId: facility?.id }, asked);
      return { total, next, issuances: rows.map(issuanceMessage) };
    });
  };
