// Original file: protos/inventory/v1/inventory.proto


export interface InventoryFilter {
  'issuanceId'?: (string);
  'vintage'?: (number);
  'productionFacilityId'?: (string);
  'methodologyCode'?: (string);
  '_issuanceId'?: "issuanceId";
  '_vintage'?: "vintage";
  '_productionFacilityId'?: "productionFacilityId";
  '_methodologyCode'?: "methodologyCode";
}

export interface InventoryFilter__Output {
  'issuanceId'?: (string);
  'vintage'?: (number);
  'productionFacilityId'?: (string);
  'methodologyCode'?: (string);
  '_issuanceId'?: "issuanceId";
  '_vintage'?: "vintage";
  '_productionFacilityId'?: "productionFacilityId";
  '_methodologyCode'?: "methodologyCode";
}
