// Original file: protos/audit/v1/audit.proto

import type { TrailEnd as _audit_v1_TrailEnd, TrailEnd__Output as _audit_v1_TrailEnd__Output } from '../../audit/v1/TrailEnd.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetTrailEndsResponse {
  'ends'?: (_audit_v1_TrailEnd)[];
  'installation'?: (number | string | Long);
}

export interface GetTrailEndsResponse__Output {
  'ends': (_audit_v1_TrailEnd__Output)[];
  'installation': (string);
}
