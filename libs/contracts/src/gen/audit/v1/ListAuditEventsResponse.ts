// Original file: protos/audit/v1/audit.proto

import type { AuditEvent as _audit_v1_AuditEvent, AuditEvent__Output as _audit_v1_AuditEvent__Output } from '../../audit/v1/AuditEvent.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListAuditEventsResponse {
  'events'?: (_audit_v1_AuditEvent)[];
  'total'?: (number | string | Long);
  'isAsAsked'?: (boolean);
}

export interface ListAuditEventsResponse__Output {
  'events': (_audit_v1_AuditEvent__Output)[];
  'total': (string);
  'isAsAsked': (boolean);
}
