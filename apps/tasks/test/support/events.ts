import type { IntegrationEvent } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';

export const STATUS_CHANGED = 'inventory.transaction.status-changed.v1';
export const REPORTED = 'inventory.transfer.reported.v1';

type StatusChange = IntegrationEvent<typeof STATUS_CHANGED>;
type Report = IntegrationEvent<typeof REPORTED>;

export const statusChange = (
  taskId: string,
  status: StatusChange['status'],
  fields: Partial<StatusChange> = {},
): StatusChange => ({
  eventId: newId(),
  salesChannelId: 'c',
  transactionId: 'tx',
  taskId,
  status,
  reason: null,
  effectiveAt: '2025-01-01T00:00:00.000Z',
  traceparent: '',
  ...fields,
});

export const report = (taskId: string, outcome: Report['outcome'], fields: Partial<Report> = {}): Report => ({
  taskId,
  outcome,
  transactionId: 'tx',
  reason: null,
  traceparent: '',
  ...fields,
});
