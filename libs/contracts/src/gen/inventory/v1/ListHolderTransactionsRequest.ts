// Original file: protos/inventory/v1/inventory.proto

import type { HolderTransactionFilter as _inventory_v1_HolderTransactionFilter, HolderTransactionFilter__Output as _inventory_v1_HolderTransactionFilter__Output } from '../../inventory/v1/HolderTransactionFilter.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListHolderTransactionsRequest {
  'filter'?: (_inventory_v1_HolderTransactionFilter | null);
  'descending'?: (boolean);
  'format'?: (_common_v1_ListFormat);
  'expand'?: (string)[];
}

export interface ListHolderTransactionsRequest__Output {
  'filter': (_inventory_v1_HolderTransactionFilter__Output | null);
  'descending': (boolean);
  'format': (_common_v1_ListFormat__Output);
  'expand': (string)[];
}
