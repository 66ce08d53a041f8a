// Original file: protos/traders/v1/traders.proto

import type { Trader as _traders_v1_Trader, Trader__Output as _traders_v1_Trader__Output } from '../../traders/v1/Trader.ts';

export interface CreateTraderResponse {
  'trader'?: (_traders_v1_Trader | null);
  'replayed'?: (boolean);
}

export interface CreateTraderResponse__Output {
  'trader': (_traders_v1_Trader__Output | null);
  'replayed': (boolean);
}
