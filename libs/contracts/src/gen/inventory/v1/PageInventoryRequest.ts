// Original file: protos/inventory/v1/inventory.proto

import type { InventoryFilter as _inventory_v1_InventoryFilter, InventoryFilter__Output as _inventory_v1_InventoryFilter__Output } from '../../inventory/v1/InventoryFilter.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';
import type { KnownVersions as _common_v1_KnownVersions, KnownVersions__Output as _common_v1_KnownVersions__Output } from '../../common/v1/KnownVersions.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';
import type { ListOrder as _common_v1_ListOrder, ListOrder__Output as _common_v1_ListOrder__Output } from '../../common/v1/ListOrder.ts';

export interface PageInventoryRequest {
  'traderId'?: (string);
  'filter'?: (_inventory_v1_InventoryFilter | null);
  'page'?: (_common_v1_ChannelPage | null);
  'known'?: (_common_v1_KnownVersions | null);
  'format'?: (_common_v1_ListFormat);
  'order'?: (_common_v1_ListOrder | null);
}

export interface PageInventoryRequest__Output {
  'traderId': (string);
  'filter': (_inventory_v1_InventoryFilter__Output | null);
  'page': (_common_v1_ChannelPage__Output | null);
  'known': (_common_v1_KnownVersions__Output | null);
  'format': (_common_v1_ListFormat__Output);
  'order': (_common_v1_ListOrder__Output | null);
}
