// Original file: protos/inventory/v1/inventory.proto

import type { TransactionFilter as _inventory_v1_TransactionFilter, TransactionFilter__Output as _inventory_v1_TransactionFilter__Output } from '../../inventory/v1/TransactionFilter.ts';

export interface ListTransactionsRequest {
  'filter'?: (_inventory_v1_TransactionFilter | null);
  'descending'?: (boolean);
}

export interface ListTransactionsRequest__Output {
  'filter': (_inventory_v1_TransactionFilter__Output | null);
  'descending': (boolean);
}
