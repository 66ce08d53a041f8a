// Original file: protos/inventory/v1/inventory.proto

import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListFacilitiesResponse {
  'total'?: (number | string | Long);
  'facilities'?: (_inventory_v1_RegistryFacility)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListFacilitiesResponse__Output {
  'total': (string);
  'facilities': (_inventory_v1_RegistryFacility__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
