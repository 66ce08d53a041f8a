// Original file: protos/inventory/v1/inventory.proto

import type { HoldingFilter as _inventory_v1_HoldingFilter, HoldingFilter__Output as _inventory_v1_HoldingFilter__Output } from '../../inventory/v1/HoldingFilter.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';
import type { ListOrder as _common_v1_ListOrder, ListOrder__Output as _common_v1_ListOrder__Output } from '../../common/v1/ListOrder.ts';

export interface PageHoldingsRequest {
  'filter'?: (_inventory_v1_HoldingFilter | null);
  'page'?: (_common_v1_ChannelPage | null);
  'format'?: (_common_v1_ListFormat);
  'order'?: (_common_v1_ListOrder | null);
}

export interface PageHoldingsRequest__Output {
  'filter': (_inventory_v1_HoldingFilter__Output | null);
  'page': (_common_v1_ChannelPage__Output | null);
  'format': (_common_v1_ListFormat__Output);
  'order': (_common_v1_ListOrder__Output | null);
}
