import { readerOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { facilitiesByCode } from '../store/facilities.ts';
import { facilityForChannel } from './messages.ts';

export const listProductionFacilities: Rpc<'inventory.ListProductionFacilities', Context> = ({ reads }) =>
  async function* (_request, call) {
    const reader = readerOf(call);
    const pages = reads.list(reader, (em, part) => facilitiesByCode(em, part));
    for await (const facilities of pages) yield* facilities.map(facilityForChannel);
  };
