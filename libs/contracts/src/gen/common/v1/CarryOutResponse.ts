// Original file: protos/common/v1/gathered_calls.proto

import type { GatheredResult as _common_v1_GatheredResult, GatheredResult__Output as _common_v1_GatheredResult__Output } from '../../common/v1/GatheredResult.ts';

export interface CarryOutResponse {
  'results'?: (_common_v1_GatheredResult)[];
}

export interface CarryOutResponse__Output {
  'results': (_common_v1_GatheredResult__Output)[];
}
