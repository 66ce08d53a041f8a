// Original file: protos/common/v1/look_up.proto

import type { FoundThing as _common_v1_FoundThing, FoundThing__Output as _common_v1_FoundThing__Output } from '../../common/v1/FoundThing.ts';

export interface LookUpResponse {
  'things'?: (_common_v1_FoundThing)[];
}

export interface LookUpResponse__Output {
  'things': (_common_v1_FoundThing__Output)[];
}
