// Original file: protos/inventory/v1/inventory.proto

import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface PageProductionFacilitiesRequest {
  'page'?: (_common_v1_ChannelPage | null);
  'namePart'?: (string);
  '_namePart'?: "namePart";
}

export interface PageProductionFacilitiesRequest__Output {
  'page': (_common_v1_ChannelPage__Output | null);
  'namePart'?: (string);
  '_namePart'?: "namePart";
}
