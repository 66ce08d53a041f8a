// Original file: protos/inventory/v1/inventory.proto

import type { SelectionVerdict as _inventory_v1_SelectionVerdict, SelectionVerdict__Output as _inventory_v1_SelectionVerdict__Output } from '../../inventory/v1/SelectionVerdict.ts';

export interface CheckSelectionsResponse {
  'verdicts'?: (_inventory_v1_SelectionVerdict)[];
}

export interface CheckSelectionsResponse__Output {
  'verdicts': (_inventory_v1_SelectionVerdict__Output)[];
}
