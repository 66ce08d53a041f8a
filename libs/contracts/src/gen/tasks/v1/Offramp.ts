// Original file: protos/tasks/v1/tasks.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface Offramp {
  'assets'?: (_common_v1_CertificateRange)[];
}

export interface Offramp__Output {
  'assets': (_common_v1_CertificateRange__Output)[];
}
