// Original file: protos/audit/v1/audit.proto

import type { AuditRange as _audit_v1_AuditRange, AuditRange__Output as _audit_v1_AuditRange__Output } from '../../audit/v1/AuditRange.ts';

export interface ListRegistryAuditEventsRequest {
  'range'?: (_audit_v1_AuditRange | null);
}

export interface ListRegistryAuditEventsRequest__Output {
  'range': (_audit_v1_AuditRange__Output | null);
}
