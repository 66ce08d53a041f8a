export {
  auditCursor,
  auditedServices,
  renderAuditEvent as auditLine,
  auditOrder,
  toAuditRange as auditRange,
  readAuditPage,
  rejectUnfilteredAnswer as refuseOtherAnswer,
  refineCursorOrder as refuseOtherOrder,
  type AuditedService,
  type AuditFilter,
  type AuditOrder,
  type AuditPage,
  type AuditPageRequest as AuditPageAsked,
} from './audit-pages.ts';
export {
  actor,
  integrationEventSchemas,
  isIntegrationEventType,
  readIntegrationEvent,
  transferTypes,
  type Actor,
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
