// Original file: protos/inventory/v1/inventory.proto

import type { CertificateRange as _common_v1_CertificateRange, CertificateRange__Output as _common_v1_CertificateRange__Output } from '../../common/v1/CertificateRange.ts';
import type { OldestVolume as _inventory_v1_OldestVolume, OldestVolume__Output as _inventory_v1_OldestVolume__Output } from '../../inventory/v1/OldestVolume.ts';

export interface PlanTransferRequest {
  'traderId'?: (string);
  'type'?: (string);
  'assets'?: (_common_v1_CertificateRange)[];
  'oldest'?: (_inventory_v1_OldestVolume | null);
}

export interface PlanTransferRequest__Output {
  'traderId': (string);
  'type': (string);
  'assets': (_common_v1_CertificateRange__Output)[];
  'oldest': (_inventory_v1_OldestVolume__Output | null);
}
