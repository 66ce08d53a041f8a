import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listFacilities } from '../store/facilities.ts';
import { facilityForChannel } from './messages.ts';

export const listProductionFacilities: Rpc<'inventory.ListProductionFacilities', Context> = ({ database }) =>
  async function* () {
    for await (const facility of listFacilities(database)) yield facilityForChannel(facility);
  };
