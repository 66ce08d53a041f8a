// Original file: protos/inventory/v1/inventory.proto

import type { ChannelState as _inventory_v1_ChannelState, ChannelState__Output as _inventory_v1_ChannelState__Output } from '../../inventory/v1/ChannelState.ts';
import type { Long } from '@grpc/proto-loader';

export interface ConsumerState {
  'consumer'?: (string);
  'fault'?: (string);
  'lagEntries'?: (number | string | Long);
  'lagSeconds'?: (number | string);
  'republished'?: (number | string | Long);
  'channels'?: (_inventory_v1_ChannelState)[];
  'isComplete'?: (boolean);
  '_fault'?: "fault";
}

export interface ConsumerState__Output {
  'consumer': (string);
  'fault'?: (string);
  'lagEntries': (string);
  'lagSeconds': (number);
  'republished': (string);
  'channels': (_inventory_v1_ChannelState__Output)[];
  'isComplete': (boolean);
  '_fault'?: "fault";
}
