// Original file: protos/registry_import/v1/registry_import.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface OnrampHoldingsRequest {
  'salesChannelId'?: (string);
  'assets'?: (_common_v1_CertificateRange)[];
  'idempotencyKey'?: (string);
}

export interface OnrampHoldingsRequest__Output {
  'salesChannelId': (string);
  'assets': (_common_v1_CertificateRange__Output)[];
  'idempotencyKey': (string);
}
