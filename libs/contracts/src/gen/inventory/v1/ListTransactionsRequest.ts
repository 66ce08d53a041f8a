// Original file: protos/inventory/v1/inventory.proto

import type { TransactionFilter as _inventory_v1_TransactionFilter, TransactionFilter__Output as _inventory_v1_TransactionFilter__Output } from '../../inventory/v1/TransactionFilter.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListTransactionsRequest {
  'filter'?: (_inventory_v1_TransactionFilter | null);
  'descending'?: (boolean);
  'format'?: (_common_v1_ListFormat);
  'expand'?: (string)[];
}

export interface ListTransactionsRequest__Output {
  'filter': (_inventory_v1_TransactionFilter__Output | null);
  'descending': (boolean);
  'format': (_common_v1_ListFormat__Output);
  'expand': (string)[];
}
