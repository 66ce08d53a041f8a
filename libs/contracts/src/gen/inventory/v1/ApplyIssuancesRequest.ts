// Original file: protos/inventory/v1/inventory.proto

import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from '../../inventory/v1/Issuance.ts';

export interface ApplyIssuancesRequest {
  'issuances'?: (_inventory_v1_Issuance)[];
}

export interface ApplyIssuancesRequest__Output {
  'issuances': (_inventory_v1_Issuance__Output)[];
}
