import { parseActor } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { id, parameters, parse, readPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { issuance } from '../domain/issuance.ts';
import { isIssuanceId } from '../domain/selection.ts';
import { applyEach, applyIssuances as apply, issueOnce } from '../operations/apply-records.ts';
import { findFacilityByCode } from '../store/facilities.ts';
import { findIssuance, selectIssuances, type IssuanceView } from '../store/issuances.ts';

const toMessage = (view: IssuanceView): ResponseOf<'ledger.GetIssuance'> => ({
  ...view,
  expirationDate: view.expirationDate ?? undefined,
  salesChannelId: view.salesChannelId ?? undefined,
  traderId: view.traderId ?? undefined,
});

export const getIssuance: Rpc<'ledger.GetIssuance', Context> =
  ({ database }) =>
  async ({ issuanceId }) => {
    const lowerCaseId = issuanceId.toLowerCase();
    const view = isIssuanceId(lowerCaseId) ? await findIssuance(database.em(), lowerCaseId) : undefined;
    if (!view) throw notFound();
    return toMessage(view);
  };

const filterSchema = z.object({
  productionFacilityCode: id.optional(),
  vintage: z.int().optional(),
  accountHolderId: id.optional(),
});
const filterLocation = parameters({
  productionFacilityCode: 'productionFacilityCode',
  vintage: 'vintage',
  accountHolderId: 'accountHolderId',
});

export const listIssuances: Rpc<'ledger.ListIssuances', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const { productionFacilityCode: code, ...filter } = parse(
      filterSchema,
      request,
      'The issuances cannot be listed this way.',
      filterLocation,
    );
    return reads.page(readerOf(call), async (em) => {
      const facility = code === undefined ? undefined : await findFacilityByCode(em, code);
      if (code !== undefined && !facility) return { total: '0', issuances: [] };
      const { total, next, rows } = await selectIssuances(em, { ...filter, facilityId: facility?.id }, page);
      return { total, next, issuances: rows.map(toMessage) };
    });
  };

export const applyIssuances: Rpc<'ledger.ApplyIssuances', Context> =
  (context) =>
  async ({ issuances, actor: requestActor, repeatable, ...fence }, call) => {
    const actor = parseActor(requestActor, call);
    let replayed = false;
    const { results } = await applyEach(issuance, issuances, async (valid) => {
      const [only] = valid;
      if (!repeatable || !only) return apply(context.database, context.clock, valid, actor, fence);
      const once = await issueOnce(context, only, actor, repeatable);
      ({ replayed } = once);
      return once.outcomes;
    });
    return { results, replayed };
  };
