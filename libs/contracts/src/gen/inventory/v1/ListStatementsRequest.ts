// Original file: protos/inventory/v1/inventory.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListStatementsRequest {
  'retiredAt'?: (_common_v1_TimeBounds | null);
  'page'?: (_common_v1_ChannelPage | null);
  'format'?: (_common_v1_ListFormat);
  'beneficiaryPart'?: (string);
  '_beneficiaryPart'?: "beneficiaryPart";
}

export interface ListStatementsRequest__Output {
  'retiredAt': (_common_v1_TimeBounds__Output | null);
  'page': (_common_v1_ChannelPage__Output | null);
  'format': (_common_v1_ListFormat__Output);
  'beneficiaryPart'?: (string);
  '_beneficiaryPart'?: "beneficiaryPart";
}
