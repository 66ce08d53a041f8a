// Original file: protos/audit/v1/audit.proto

import type { Long } from '@grpc/proto-loader';

export interface AuditRange {
  'afterSequence'?: (number | string | Long);
  'limit'?: (number);
  'from'?: (string);
  'to'?: (string);
  'beforeSequence'?: (number | string | Long);
  'descending'?: (boolean);
  'action'?: (string);
  'actorId'?: (string);
  '_from'?: "from";
  '_to'?: "to";
  '_action'?: "action";
  '_actorId'?: "actorId";
}

export interface AuditRange__Output {
  'afterSequence': (string);
  'limit': (number);
  'from'?: (string);
  'to'?: (string);
  'beforeSequence': (string);
  'descending': (boolean);
  'action'?: (string);
  'actorId'?: (string);
  '_from'?: "from";
  '_to'?: "to";
  '_action'?: "action";
  '_actorId'?: "actorId";
}
