import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findFacilityByCode } from '../store/facilities.ts';
import { facilityForRegistry } from './messages.ts';

export const getFacility: Rpc<'ledger.GetFacility', Context> =
  ({ database }) =>
  async ({ code }) => {
    const facility = await findFacilityByCode(database.em(), idToFind(code));
    if (!facility) throw notFound();
    return facilityForRegistry(facility);
  };
