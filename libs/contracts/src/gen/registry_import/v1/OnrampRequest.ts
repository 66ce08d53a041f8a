// Original file: protos/registry_import/v1/registry_import.proto

import type { SelectionRange as _inventory_v1_SelectionRange, SelectionRange__Output as _inventory_v1_SelectionRange__Output } from '../../inventory/v1/SelectionRange.ts';

export interface OnrampRequest {
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  'assets'?: (_inventory_v1_SelectionRange)[];
}

export interface OnrampRequest__Output {
  'accountHolderId': (string);
  'salesChannelId': (string);
  'assets': (_inventory_v1_SelectionRange__Output)[];
}
