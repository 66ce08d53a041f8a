export { auditActions, type AuditAction } from './actions.ts';
export {
  actorOf,
  parseActor,
  INSTALLATION_SCOPE,
  REGISTRY_SCOPE,
  scopeOf,
  serviceActor,
  SESSIONS_SCOPE,
} from './actor.ts';
export { type Act, type State } from './record.ts';
export { appendAudit, lockTrails, recordAudit, type LockedTrails } from './record.ts';
export { auditLog } from './rpc.ts';
