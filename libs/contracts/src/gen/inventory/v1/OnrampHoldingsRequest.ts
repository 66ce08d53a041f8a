// Original file: protos/inventory/v1/inventory.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface OnrampHoldingsRequest {
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  'traderId'?: (string);
  'assets'?: (_common_v1_CertificateRange)[];
  'idempotencyKey'?: (string);
}

export interface OnrampHoldingsRequest__Output {
  'accountHolderId': (string);
  'salesChannelId': (string);
  'traderId': (string);
  'assets': (_common_v1_CertificateRange__Output)[];
  'idempotencyKey': (string);
}
