// Original file: protos/inventory/v1/inventory.proto

import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from '../../inventory/v1/Issuance.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListIssuancesResponse {
  'total'?: (number | string | Long);
  'issuances'?: (_inventory_v1_Issuance)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListIssuancesResponse__Output {
  'total': (string);
  'issuances': (_inventory_v1_Issuance__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
