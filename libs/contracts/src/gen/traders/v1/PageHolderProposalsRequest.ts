// Original file: protos/traders/v1/traders.proto

import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface PageHolderProposalsRequest {
  'status'?: (string);
  'page'?: (_common_v1_ChannelPage | null);
  '_status'?: "status";
}

export interface PageHolderProposalsRequest__Output {
  'status'?: (string);
  'page': (_common_v1_ChannelPage__Output | null);
  '_status'?: "status";
}
