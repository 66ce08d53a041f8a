// Original file: protos/inventory/v1/inventory.proto

import type { InventoryFilter as _inventory_v1_InventoryFilter, InventoryFilter__Output as _inventory_v1_InventoryFilter__Output } from '../../inventory/v1/InventoryFilter.ts';
import type { KnownVersions as _common_v1_KnownVersions, KnownVersions__Output as _common_v1_KnownVersions__Output } from '../../common/v1/KnownVersions.ts';

export interface ListInventoryRequest {
  'traderId'?: (string);
  'filter'?: (_inventory_v1_InventoryFilter | null);
  'known'?: (_common_v1_KnownVersions | null);
}

export interface ListInventoryRequest__Output {
  'traderId': (string);
  'filter': (_inventory_v1_InventoryFilter__Output | null);
  'known': (_common_v1_KnownVersions__Output | null);
}
