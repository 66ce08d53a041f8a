// Original file: protos/inventory/v1/inventory.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface ListRegistryTransactionsRequest {
  'page'?: (_common_v1_Page | null);
}

export interface ListRegistryTransactionsRequest__Output {
  'page': (_common_v1_Page__Output | null);
}
