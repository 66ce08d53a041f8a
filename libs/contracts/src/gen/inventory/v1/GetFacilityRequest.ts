// Original file: protos/inventory/v1/inventory.proto


export interface GetFacilityRequest {
  'code'?: (string);
}

export interface GetFacilityRequest__Output {
  'code': (string);
}
