// Original file: protos/inventory/v1/inventory.proto

import type { Count as _common_v1_Count, Count__Output as _common_v1_Count__Output } from '../../common/v1/Count.ts';

export interface CountChannelUseResponse {
  'pendingTransactions'?: (_common_v1_Count | null);
  'reservedBundles'?: (_common_v1_Count | null);
  'listedBundles'?: (_common_v1_Count | null);
}

export interface CountChannelUseResponse__Output {
  'pendingTransactions': (_common_v1_Count__Output | null);
  'reservedBundles': (_common_v1_Count__Output | null);
  'listedBundles': (_common_v1_Count__Output | null);
}
