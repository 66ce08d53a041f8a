// Original file: protos/audit/v1/audit.proto

import type { Long } from '@grpc/proto-loader';

export interface AuditRange {
  'afterSequence'?: (number | string | Long);
  'limit'?: (number);
  'from'?: (string);
  'to'?: (string);
  '_from'?: "from";
  '_to'?: "to";
}

export interface AuditRange__Output {
  'afterSequence': (string);
  'limit': (number);
  'from'?: (string);
  'to'?: (string);
  '_from'?: "from";
  '_to'?: "to";
}
