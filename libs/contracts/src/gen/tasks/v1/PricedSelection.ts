// Original file: protos/tasks/v1/tasks.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface PricedSelection {
  'range'?: (_common_v1_CertificateRange | null);
  'unitPrice'?: (string);
  '_unitPrice'?: "unitPrice";
}

export interface PricedSelection__Output {
  'range': (_common_v1_CertificateRange__Output | null);
  'unitPrice'?: (string);
  '_unitPrice'?: "unitPrice";
}
