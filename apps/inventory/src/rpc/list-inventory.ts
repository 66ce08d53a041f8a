import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { streamListable, type BundleView } from '../store/bundle-views.ts';
import { certificateIdOf, chunksOf, endsOf, volumeOf } from './messages.ts';

export const listInventory: Rpc<'inventory.ListInventory', Context> = ({ database, isTrader }) =>
  async function* (request, call) {
    const salesChannelId = salesChannelOf(call);
    const traderId = idToFind(request.traderId);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    yield* chunksOf(streamListable(database, salesChannelId, traderId), render);
  };

const render = (bundle: BundleView): string =>
  JSON.stringify({
    volume: volumeOf(bundle),
    productionFacilityId: bundle.facilityId,
    supplierId: bundle.supplierId,
    methodologyCode: bundle.methodologyCode,
    issuingDate: bundle.issuingDate,
    expirationDate: bundle.expirationDate,
    creditTypeId: bundle.creditTypeId,
    standard: bundle.standard,
    countryCode: bundle.countryCode,
    productionStartDate: bundle.productionStartDate,
    productionEndDate: bundle.productionEndDate,
    vintage: bundle.vintage,
    issuanceId: bundle.issuanceId,
    certificates: certificateIdOf(bundle),
    ...endsOf(bundle, bundle.first, bundle.last),
  });
