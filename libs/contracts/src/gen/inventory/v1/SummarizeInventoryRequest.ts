// Original file: protos/inventory/v1/inventory.proto

import type { InventoryFilter as _inventory_v1_InventoryFilter, InventoryFilter__Output as _inventory_v1_InventoryFilter__Output } from '../../inventory/v1/InventoryFilter.ts';

export interface SummarizeInventoryRequest {
  'traderId'?: (string);
  'filter'?: (_inventory_v1_InventoryFilter | null);
}

export interface SummarizeInventoryRequest__Output {
  'traderId': (string);
  'filter': (_inventory_v1_InventoryFilter__Output | null);
}
