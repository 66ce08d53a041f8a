// Original file: protos/traders/v1/traders.proto

import type { TraderFilter as _traders_v1_TraderFilter, TraderFilter__Output as _traders_v1_TraderFilter__Output } from '../../traders/v1/TraderFilter.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';
import type { ListOrder as _common_v1_ListOrder, ListOrder__Output as _common_v1_ListOrder__Output } from '../../common/v1/ListOrder.ts';

export interface PageTradersRequest {
  'filter'?: (_traders_v1_TraderFilter | null);
  'page'?: (_common_v1_ChannelPage | null);
  'order'?: (_common_v1_ListOrder | null);
}

export interface PageTradersRequest__Output {
  'filter': (_traders_v1_TraderFilter__Output | null);
  'page': (_common_v1_ChannelPage__Output | null);
  'order': (_common_v1_ListOrder__Output | null);
}
