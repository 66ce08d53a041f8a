// Original file: protos/inventory/v1/inventory.proto

import type { Long } from '@grpc/proto-loader';

export interface ChannelState {
  'salesChannelId'?: (string);
  'last'?: (number | string | Long);
  'upto'?: (number | string | Long);
  'highest'?: (number | string | Long);
  'missing'?: (number | string | Long);
}

export interface ChannelState__Output {
  'salesChannelId': (string);
  'last': (string);
  'upto': (string);
  'highest': (string);
  'missing': (string);
}
