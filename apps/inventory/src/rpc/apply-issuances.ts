import { actorTold } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { issuance } from '../domain/issuance.ts';
import { applyEach } from '../operations/apply-each.ts';
import { applyIssuances as apply } from '../operations/apply-issuances.ts';

export const applyIssuances: Rpc<'ledger.ApplyIssuances', Context> =
  ({ database, clock }) =>
  ({ issuances, actor: told, fence }, call) =>
    applyEach(issuance, issuances, (valid) => apply(database, clock, valid, actorTold(told, call), fence));
