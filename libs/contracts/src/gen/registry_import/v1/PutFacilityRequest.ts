// Original file: protos/registry_import/v1/registry_import.proto

import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';

export interface PutFacilityRequest {
  'facility'?: (_inventory_v1_RegistryFacility | null);
}

export interface PutFacilityRequest__Output {
  'facility': (_inventory_v1_RegistryFacility__Output | null);
}
