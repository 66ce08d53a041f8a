export {
  channelStatuses,
  createAdministration,
  listDeadLetters,
  replayDeadLetters,
  withOperatorStatus as withShownStatus,
  type Administration,
} from './administration.ts';
export { readAuditTrail, type AuditSelection as AuditedPart } from './audit-trail.ts';
export { lookUp, type LookUpResult as LookUp } from './look-up.ts';
export { createOperatorClients as createPowers, type OperatorClients as Powers } from './powers.ts';
