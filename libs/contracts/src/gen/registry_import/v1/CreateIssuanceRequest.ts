// Original file: protos/registry_import/v1/registry_import.proto

import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from '../../inventory/v1/Issuance.ts';

export interface CreateIssuanceRequest {
  'issuance'?: (_inventory_v1_Issuance | null);
}

export interface CreateIssuanceRequest__Output {
  'issuance': (_inventory_v1_Issuance__Output | null);
}
