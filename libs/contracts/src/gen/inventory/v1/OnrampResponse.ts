// Original file: protos/inventory/v1/inventory.proto

import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';

export interface OnrampResponse {
  'transactionId'?: (string);
  'transaction'?: (_common_v1_JsonDocument | null);
  'replayed'?: (boolean);
}

export interface OnrampResponse__Output {
  'transactionId': (string);
  'transaction': (_common_v1_JsonDocument__Output | null);
  'replayed': (boolean);
}
