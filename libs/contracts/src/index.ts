export {
  isIntegrationEventType,
  parseIntegrationEvent,
  transactionTypes,
  type IntegrationEvent,
  type IntegrationEventType,
  type TransactionStatusChanged,
  type TransferReported,
  type TransferRequested,
} from './integration-events.ts';
export { services, type ServiceContract } from './services.ts';
