// Original file: protos/traders/v1/traders.proto

import type { Trader as _traders_v1_Trader, Trader__Output as _traders_v1_Trader__Output } from '../../traders/v1/Trader.ts';

export interface PageTradersResponse {
  'traders'?: (_traders_v1_Trader)[];
  'next'?: (string);
  'ordered'?: (boolean);
  '_next'?: "next";
}

export interface PageTradersResponse__Output {
  'traders': (_traders_v1_Trader__Output)[];
  'next'?: (string);
  'ordered': (boolean);
  '_next'?: "next";
}
