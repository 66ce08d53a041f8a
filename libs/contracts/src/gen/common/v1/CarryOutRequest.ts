// Original file: protos/common/v1/gathered_calls.proto

import type { GatheredCall as _common_v1_GatheredCall, GatheredCall__Output as _common_v1_GatheredCall__Output } from '../../common/v1/GatheredCall.ts';

export interface CarryOutRequest {
  'calls'?: (_common_v1_GatheredCall)[];
}

export interface CarryOutRequest__Output {
  'calls': (_common_v1_GatheredCall__Output)[];
}
