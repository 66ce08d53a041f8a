// Original file: protos/traders/v1/traders.proto

import type { TraderFilter as _traders_v1_TraderFilter, TraderFilter__Output as _traders_v1_TraderFilter__Output } from '../../traders/v1/TraderFilter.ts';

export interface ListTradersRequest {
  'filter'?: (_traders_v1_TraderFilter | null);
}

export interface ListTradersRequest__Output {
  'filter': (_traders_v1_TraderFilter__Output | null);
}
