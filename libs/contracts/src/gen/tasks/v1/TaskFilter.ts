// Original file: protos/tasks/v1/tasks.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';

export interface TaskFilter {
  'type'?: (string);
  'status'?: (string);
  'traderId'?: (string);
  'createdAt'?: (_common_v1_TimeBounds | null);
  '_type'?: "type";
  '_status'?: "status";
  '_traderId'?: "traderId";
}

export interface TaskFilter__Output {
  'type'?: (string);
  'status'?: (string);
  'traderId'?: (string);
  'createdAt': (_common_v1_TimeBounds__Output | null);
  '_type'?: "type";
  '_status'?: "status";
  '_traderId'?: "traderId";
}
