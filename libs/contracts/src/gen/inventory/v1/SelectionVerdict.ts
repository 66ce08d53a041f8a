// Original file: protos/inventory/v1/inventory.proto

import type { SelectionFault as _inventory_v1_SelectionFault, SelectionFault__Output as _inventory_v1_SelectionFault__Output } from '../../inventory/v1/SelectionFault.ts';

export interface SelectionVerdict {
  'faults'?: (_inventory_v1_SelectionFault)[];
}

export interface SelectionVerdict__Output {
  'faults': (_inventory_v1_SelectionFault__Output)[];
}
