export {
  channelStatuses,
  createAdministration,
  listDeadLetters,
  replayDeadLetters,
  withOperatorStatus,
  type Administration,
} from './administration.ts';
export { readAuditTrail, type AuditSelection } from './audit-trail.ts';
export { lookUp, type LookUpResult } from './look-up.ts';
export { createOperatorClients, type OperatorClients } from './administration.ts';
