// Original file: protos/inventory/v1/inventory.proto

import type { SelectionRange as _inventory_v1_SelectionRange, SelectionRange__Output as _inventory_v1_SelectionRange__Output } from '../../inventory/v1/SelectionRange.ts';

export interface SelectionCheck {
  'salesChannelId'?: (string);
  'traderId'?: (string);
  'selections'?: (_inventory_v1_SelectionRange)[];
}

export interface SelectionCheck__Output {
  'salesChannelId': (string);
  'traderId': (string);
  'selections': (_inventory_v1_SelectionRange__Output)[];
}
