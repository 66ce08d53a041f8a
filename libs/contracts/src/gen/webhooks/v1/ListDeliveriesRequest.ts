// Original file: protos/webhooks/v1/webhooks.proto

import type { DeliveryFilter as _webhooks_v1_DeliveryFilter, DeliveryFilter__Output as _webhooks_v1_DeliveryFilter__Output } from '../../webhooks/v1/DeliveryFilter.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface ListDeliveriesRequest {
  'endpointId'?: (string);
  'filter'?: (_webhooks_v1_DeliveryFilter | null);
  'ascending'?: (boolean);
  'page'?: (_common_v1_ChannelPage | null);
}

export interface ListDeliveriesRequest__Output {
  'endpointId': (string);
  'filter': (_webhooks_v1_DeliveryFilter__Output | null);
  'ascending': (boolean);
  'page': (_common_v1_ChannelPage__Output | null);
}
