export {
  auditCursor,
  auditedServices,
  renderAuditEvent,
  auditOrder,
  toAuditRange,
  readAuditPage,
  rejectUnfilteredAnswer,
  refineCursorOrder,
  type AuditedService,
  type AuditFilter,
  type AuditOrder,
  type AuditPage,
  type AuditPageRequest,
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
export { errorMessages, type Problem, type Problem__Output } from './services.ts';
export { services, type ServiceContract, type Services } from './services.ts';
