// Original file: protos/inventory/v1/inventory.proto

import type { HoldingFilter as _inventory_v1_HoldingFilter, HoldingFilter__Output as _inventory_v1_HoldingFilter__Output } from '../../inventory/v1/HoldingFilter.ts';

export interface SummarizeHoldingsRequest {
  'filter'?: (_inventory_v1_HoldingFilter | null);
}

export interface SummarizeHoldingsRequest__Output {
  'filter': (_inventory_v1_HoldingFilter__Output | null);
}
