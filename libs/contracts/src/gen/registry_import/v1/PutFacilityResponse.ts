// Original file: protos/registry_import/v1/registry_import.proto

import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';

export interface PutFacilityResponse {
  'facility'?: (_inventory_v1_RegistryFacility | null);
  'created'?: (boolean);
}

export interface PutFacilityResponse__Output {
  'facility': (_inventory_v1_RegistryFacility__Output | null);
  'created': (boolean);
}
