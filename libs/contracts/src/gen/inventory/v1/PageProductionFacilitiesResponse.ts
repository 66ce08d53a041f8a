// Original file: protos/inventory/v1/inventory.proto

import type { ProductionFacility as _inventory_v1_ProductionFacility, ProductionFacility__Output as _inventory_v1_ProductionFacility__Output } from '../../inventory/v1/ProductionFacility.ts';

export interface PageProductionFacilitiesResponse {
  'facilities'?: (_inventory_v1_ProductionFacility)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface PageProductionFacilitiesResponse__Output {
  'facilities': (_inventory_v1_ProductionFacility__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
