// Original file: protos/inventory/v1/inventory.proto


export interface GetProductionFacilityRequest {
  'productionFacilityId'?: (string);
}

export interface GetProductionFacilityRequest__Output {
  'productionFacilityId': (string);
}
