// Original file: protos/traders/v1/traders.proto

import type { NamedParty as _traders_v1_NamedParty, NamedParty__Output as _traders_v1_NamedParty__Output } from '../../traders/v1/NamedParty.ts';

export interface DescribePartiesResponse {
  'parties'?: (_traders_v1_NamedParty)[];
}

export interface DescribePartiesResponse__Output {
  'parties': (_traders_v1_NamedParty__Output)[];
}
