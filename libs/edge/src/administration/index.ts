export { createAdministration, type Administration } from './administration.ts';
export { readAuditTrail, type AuditedPart } from './audit-trail.ts';
export { channelStatuses, withShownStatus } from './channels.ts';
export { listDeadLetters, replayDeadLetters } from './dead-letters.ts';
export { lookUp, type LookUp } from './look-up.ts';
export { createPowers, type Powers } from './powers.ts';
