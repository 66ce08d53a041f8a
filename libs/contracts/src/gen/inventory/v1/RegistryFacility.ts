// Original file: protos/inventory/v1/inventory.proto

import type { Period as _common_v1_Period, Period__Output as _common_v1_Period__Output } from '../../common/v1/Period.ts';

export interface RegistryFacility {
  'code'?: (string);
  'gsrn'?: (string);
  'name'?: (string);
  'country'?: (string);
  'methodologyCodes'?: (string)[];
  'supplier'?: (string);
  'creditingPeriod'?: (_common_v1_Period | null);
  'id'?: (string);
  'supplierId'?: (string);
  '_gsrn'?: "gsrn";
  '_id'?: "id";
  '_supplierId'?: "supplierId";
}

export interface RegistryFacility__Output {
  'code': (string);
  'gsrn'?: (string);
  'name': (string);
  'country': (string);
  'methodologyCodes': (string)[];
  'supplier': (string);
  'creditingPeriod': (_common_v1_Period__Output | null);
  'id'?: (string);
  'supplierId'?: (string);
  '_gsrn'?: "gsrn";
  '_id'?: "id";
  '_supplierId'?: "supplierId";
}
