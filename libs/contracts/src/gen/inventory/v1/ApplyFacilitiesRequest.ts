// Original file: protos/inventory/v1/inventory.proto

import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';
import type { Actor as _common_v1_Actor, Actor__Output as _common_v1_Actor__Output } from '../../common/v1/Actor.ts';
import type { Long } from '@grpc/proto-loader';

export interface ApplyFacilitiesRequest {
  'facilities'?: (_inventory_v1_RegistryFacility)[];
  'actor'?: (_common_v1_Actor | null);
  'fence'?: (number | string | Long);
  'fenceScope'?: (string);
  '_fence'?: "fence";
  '_fenceScope'?: "fenceScope";
}

export interface ApplyFacilitiesRequest__Output {
  'facilities': (_inventory_v1_RegistryFacility__Output)[];
  'actor': (_common_v1_Actor__Output | null);
  'fence'?: (string);
  'fenceScope'?: (string);
  '_fence'?: "fence";
  '_fenceScope'?: "fenceScope";
}
