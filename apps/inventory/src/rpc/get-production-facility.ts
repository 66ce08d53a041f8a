import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findFacility } from '../store/facilities.ts';
import { facilityForChannel } from './messages.ts';

export const getProductionFacility: Rpc<'inventory.GetProductionFacility', Context> =
  ({ database }) =>
  async ({ productionFacilityId }) => {
    const facility = await findFacility(database.em(), idToFind(productionFacilityId));
    if (!facility) throw notFound();
    return facilityForChannel(facility);
  };
