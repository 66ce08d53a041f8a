import type { IntegrationEvent } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';
import type { Scene } from './requests.ts';

export const STATUS_CHANGED = 'inventory.transaction.status-changed.v1';
export const REPORTED = 'inventory.transfer.reported.v1';

type StatusChange = IntegrationEvent<typeof STATUS_CHANGED>;
type Report = IntegrationEvent<typeof REPORTED>;

export const statusChange = (
  { channel }: Pick<Scene, 'channel'>,
  taskId: string,
  status: StatusChange['status'],
  fields: Partial<StatusChange> = {},
): StatusChange => ({
  eventId: newId(),
  salesChannelId: channel,
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
