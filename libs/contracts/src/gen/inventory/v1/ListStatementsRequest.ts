// Original file: protos/inventory/v1/inventory.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface ListStatementsRequest {
  'retiredAt'?: (_common_v1_TimeBounds | null);
  'page'?: (_common_v1_ChannelPage | null);
}

export interface ListStatementsRequest__Output {
  'retiredAt': (_common_v1_TimeBounds__Output | null);
  'page': (_common_v1_ChannelPage__Output | null);
}
