// Original file: protos/inventory/v1/inventory.proto

import type { SelectionCheck as _inventory_v1_SelectionCheck, SelectionCheck__Output as _inventory_v1_SelectionCheck__Output } from '../../inventory/v1/SelectionCheck.ts';

export interface CheckSelectionsRequest {
  'checks'?: (_inventory_v1_SelectionCheck)[];
}

export interface CheckSelectionsRequest__Output {
  'checks': (_inventory_v1_SelectionCheck__Output)[];
}
