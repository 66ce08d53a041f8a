// Original file: protos/inventory/v1/inventory.proto


export interface HoldingFilter {
  'state'?: (string);
  'salesChannelId'?: (string);
  'vintage'?: (number);
  'productionFacilityId'?: (string);
  '_state'?: "state";
  '_salesChannelId'?: "salesChannelId";
  '_vintage'?: "vintage";
  '_productionFacilityId'?: "productionFacilityId";
}

export interface HoldingFilter__Output {
  'state'?: (string);
  'salesChannelId'?: (string);
  'vintage'?: (number);
  'productionFacilityId'?: (string);
  '_state'?: "state";
  '_salesChannelId'?: "salesChannelId";
  '_vintage'?: "vintage";
  '_productionFacilityId'?: "productionFacilityId";
}
