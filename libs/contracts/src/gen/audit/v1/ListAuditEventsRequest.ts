// Original file: protos/audit/v1/audit.proto

import type { AuditRange as _audit_v1_AuditRange, AuditRange__Output as _audit_v1_AuditRange__Output } from '../../audit/v1/AuditRange.ts';

export interface ListAuditEventsRequest {
  'scope'?: (string);
  'range'?: (_audit_v1_AuditRange | null);
}

export interface ListAuditEventsRequest__Output {
  'scope': (string);
  'range': (_audit_v1_AuditRange__Output | null);
}
