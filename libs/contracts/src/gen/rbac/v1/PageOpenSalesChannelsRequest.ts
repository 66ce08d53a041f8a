// Original file: protos/rbac/v1/rbac.proto

import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface PageOpenSalesChannelsRequest {
  'page'?: (_common_v1_ChannelPage | null);
  'search'?: (string);
  '_search'?: "search";
}

export interface PageOpenSalesChannelsRequest__Output {
  'page': (_common_v1_ChannelPage__Output | null);
  'search'?: (string);
  '_search'?: "search";
}
