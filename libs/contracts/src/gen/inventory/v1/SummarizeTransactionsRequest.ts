// Original file: protos/inventory/v1/inventory.proto

import type { TransactionFilter as _inventory_v1_TransactionFilter, TransactionFilter__Output as _inventory_v1_TransactionFilter__Output } from '../../inventory/v1/TransactionFilter.ts';

export interface SummarizeTransactionsRequest {
  'groupBy'?: (string);
  'timeZone'?: (string);
  'filter'?: (_inventory_v1_TransactionFilter | null);
}

export interface SummarizeTransactionsRequest__Output {
  'groupBy': (string);
  'timeZone': (string);
  'filter': (_inventory_v1_TransactionFilter__Output | null);
}
