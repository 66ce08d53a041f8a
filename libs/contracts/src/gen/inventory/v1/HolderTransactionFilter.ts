// Original file: protos/inventory/v1/inventory.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';

export interface HolderTransactionFilter {
  'type'?: (string);
  'status'?: (string);
  'createdAt'?: (_common_v1_TimeBounds | null);
  '_type'?: "type";
  '_status'?: "status";
}

export interface HolderTransactionFilter__Output {
  'type'?: (string);
  'status'?: (string);
  'createdAt': (_common_v1_TimeBounds__Output | null);
  '_type'?: "type";
  '_status'?: "status";
}
