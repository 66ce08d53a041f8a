// Original file: protos/inventory/v1/inventory.proto

import type { SelectionFault as _inventory_v1_SelectionFault, SelectionFault__Output as _inventory_v1_SelectionFault__Output } from '../../inventory/v1/SelectionFault.ts';
import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';

export interface SelectionVerdict {
  'faults'?: (_inventory_v1_SelectionFault)[];
  'selections'?: (_common_v1_CertificateRange)[];
}

export interface SelectionVerdict__Output {
  'faults': (_inventory_v1_SelectionFault__Output)[];
  'selections': (_common_v1_CertificateRange__Output)[];
}
