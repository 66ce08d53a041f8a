export { actor, type Actor } from './actor.ts';
export { auditedServices, auditLine, type AuditedService } from './audit-event.ts';
export {
  auditCursor,
  auditOrder,
  auditRange,
  readAuditPage,
  refuseOtherAnswer,
  refuseOtherOrder,
  type AuditFilter,
  type AuditOrder,
  type AuditPage,
  type AuditPageAsked,
} from './audit-pages.ts';
export {
  integrationEventSchemas,
  isIntegrationEventType,
  readIntegrationEvent,
  transferTypes,
  type IntegrationEntry,
  type IntegrationEvent,
  type IntegrationEventType,
  type TransactionStatusChanged,
  type TransferReported,
  type TransferRequested,
  type TransferType,
  type TransferWithdrawn,
} from './integration-events.ts';
export { errorMessages, type ProblemMessage, type ReceivedProblem } from './protos.ts';
export { services, type ServiceContract, type Services } from './services.ts';
