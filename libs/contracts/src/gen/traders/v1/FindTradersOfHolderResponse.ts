// Original file: protos/traders/v1/traders.proto

import type { Party as _traders_v1_Party, Party__Output as _traders_v1_Party__Output } from '../../traders/v1/Party.ts';

export interface FindTradersOfHolderResponse {
  'parties'?: (_traders_v1_Party)[];
}

export interface FindTradersOfHolderResponse__Output {
  'parties': (_traders_v1_Party__Output)[];
}
