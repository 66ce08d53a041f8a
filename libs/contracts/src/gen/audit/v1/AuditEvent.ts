// Original file: protos/audit/v1/audit.proto

import type { Long } from '@grpc/proto-loader';

export interface AuditEvent {
  'sequence'?: (number | string | Long);
  'occurredAt'?: (string);
  'event'?: (string);
  'hash'?: (Buffer | Uint8Array | string);
}

export interface AuditEvent__Output {
  'sequence': (string);
  'occurredAt': (string);
  'event': (string);
  'hash': (Buffer);
}
