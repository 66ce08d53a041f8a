// Original file: protos/inventory/v1/inventory.proto

import type { Period as _inventory_v1_Period, Period__Output as _inventory_v1_Period__Output } from '../../inventory/v1/Period.ts';

export interface RegistryFacility {
  'code'?: (string);
  'gsrn'?: (string);
  'name'?: (string);
  'country'?: (string);
  'methodologyCodes'?: (string)[];
  'supplier'?: (string);
  'creditingPeriod'?: (_inventory_v1_Period | null);
  'id'?: (string);
  'supplierId'?: (string);
  '_gsrn'?: "gsrn";
}

export interface RegistryFacility__Output {
  'code': (string);
  'gsrn'?: (string);
  'name': (string);
  'country': (string);
  'methodologyCodes': (string)[];
  'supplier': (string);
  'creditingPeriod': (_inventory_v1_Period__Output | null);
  'id': (string);
  'supplierId': (string);
  '_gsrn'?: "gsrn";
}
