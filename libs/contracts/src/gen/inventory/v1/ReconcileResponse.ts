// Original file: protos/inventory/v1/inventory.proto

import type { ConsumerState as _inventory_v1_ConsumerState, ConsumerState__Output as _inventory_v1_ConsumerState__Output } from '../../inventory/v1/ConsumerState.ts';

export interface ReconcileResponse {
  'consumers'?: (_inventory_v1_ConsumerState)[];
  'hasMore'?: (boolean);
}

export interface ReconcileResponse__Output {
  'consumers': (_inventory_v1_ConsumerState__Output)[];
  'hasMore': (boolean);
}
