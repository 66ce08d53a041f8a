// Original file: protos/inventory/v1/inventory.proto

import type { HoldingFilter as _inventory_v1_HoldingFilter, HoldingFilter__Output as _inventory_v1_HoldingFilter__Output } from '../../inventory/v1/HoldingFilter.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListHoldingsRequest {
  'filter'?: (_inventory_v1_HoldingFilter | null);
  'format'?: (_common_v1_ListFormat);
}

export interface ListHoldingsRequest__Output {
  'filter': (_inventory_v1_HoldingFilter__Output | null);
  'format': (_common_v1_ListFormat__Output);
}
