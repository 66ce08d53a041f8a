export {
  channelStatuses,
  createAdministration,
  listDeadLetters,
  replayDeadLetters,
  withShownStatus,
  type Administration,
} from './administration.ts';
export { readAuditTrail, type AuditedPart } from './audit-trail.ts';
export { lookUp, type LookUp } from './look-up.ts';
export { createPowers, type Powers } from './powers.ts';
