// Original file: protos/inventory/v1/inventory.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface SelectionCheck {
  'salesChannelId'?: (string);
  'traderId'?: (string);
  'selections'?: (_common_v1_CertificateRange)[];
  'previousGeneration'?: (boolean);
}

export interface SelectionCheck__Output {
  'salesChannelId': (string);
  'traderId': (string);
  'selections': (_common_v1_CertificateRange__Output)[];
  'previousGeneration': (boolean);
}
