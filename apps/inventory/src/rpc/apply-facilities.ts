import { actorTold } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { facility } from '../domain/facility.ts';
import { applyEach } from '../operations/apply-each.ts';
import { applyFacilities as apply } from '../operations/apply-facilities.ts';

export const applyFacilities: Rpc<'ledger.ApplyFacilities', Context> =
  ({ database }) =>
  ({ facilities, actor: told, ...fence }, call) =>
    applyEach(facility, facilities, (valid) => apply(database, valid, actorTold(told, call), fence));
