// Original file: protos/traders/v1/traders.proto

import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface PageProposalsRequest {
  'status'?: (string);
  'page'?: (_common_v1_ChannelPage | null);
  'search'?: (string);
  '_status'?: "status";
  '_search'?: "search";
}

export interface PageProposalsRequest__Output {
  'status'?: (string);
  'page': (_common_v1_ChannelPage__Output | null);
  'search'?: (string);
  '_status'?: "status";
  '_search'?: "search";
}
