// Original file: protos/inventory/v1/inventory.proto

import type { ApplyResult as _inventory_v1_ApplyResult, ApplyResult__Output as _inventory_v1_ApplyResult__Output } from '../../inventory/v1/ApplyResult.ts';

export interface ApplyIssuancesResponse {
  'results'?: (_inventory_v1_ApplyResult)[];
  'replayed'?: (boolean);
}

export interface ApplyIssuancesResponse__Output {
  'results': (_inventory_v1_ApplyResult__Output)[];
  'replayed': (boolean);
}
