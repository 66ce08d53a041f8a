// Original file: protos/traders/v1/traders.proto

import type { PartyKey as _traders_v1_PartyKey, PartyKey__Output as _traders_v1_PartyKey__Output } from '../../traders/v1/PartyKey.ts';

export interface DescribePartiesRequest {
  'keys'?: (_traders_v1_PartyKey)[];
}

export interface DescribePartiesRequest__Output {
  'keys': (_traders_v1_PartyKey__Output)[];
}
