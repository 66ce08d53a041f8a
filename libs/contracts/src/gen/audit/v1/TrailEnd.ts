// Original file: protos/audit/v1/audit.proto

import type { Long } from '@grpc/proto-loader';

export interface TrailEnd {
  'scope'?: (string);
  'sequence'?: (number | string | Long);
}

export interface TrailEnd__Output {
  'scope': (string);
  'sequence': (string);
}
