// Original file: protos/inventory/v1/inventory.proto

import type { InventoryFilter as _inventory_v1_InventoryFilter, InventoryFilter__Output as _inventory_v1_InventoryFilter__Output } from '../../inventory/v1/InventoryFilter.ts';
import type { Long } from '@grpc/proto-loader';

export interface OldestVolume {
  'volume'?: (number | string | Long);
  'filter'?: (_inventory_v1_InventoryFilter | null);
}

export interface OldestVolume__Output {
  'volume': (string);
  'filter': (_inventory_v1_InventoryFilter__Output | null);
}
