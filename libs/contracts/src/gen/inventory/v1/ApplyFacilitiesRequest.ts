// Original file: protos/inventory/v1/inventory.proto

import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';

export interface ApplyFacilitiesRequest {
  'facilities'?: (_inventory_v1_RegistryFacility)[];
}

export interface ApplyFacilitiesRequest__Output {
  'facilities': (_inventory_v1_RegistryFacility__Output)[];
}
