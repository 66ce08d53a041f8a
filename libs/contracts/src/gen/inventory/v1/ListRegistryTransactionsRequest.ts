// Original file: protos/inventory/v1/inventory.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';
import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListRegistryTransactionsRequest {
  'page'?: (_common_v1_Page | null);
  'status'?: (string);
  'type'?: (string);
  'accountHolderId'?: (string);
  'createdAt'?: (_common_v1_TimeBounds | null);
  'format'?: (_common_v1_ListFormat);
  'expand'?: (string)[];
  '_status'?: "status";
  '_type'?: "type";
  '_accountHolderId'?: "accountHolderId";
}

export interface ListRegistryTransactionsRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'status'?: (string);
  'type'?: (string);
  'accountHolderId'?: (string);
  'createdAt': (_common_v1_TimeBounds__Output | null);
  'format': (_common_v1_ListFormat__Output);
  'expand': (string)[];
  '_status'?: "status";
  '_type'?: "type";
  '_accountHolderId'?: "accountHolderId";
}
