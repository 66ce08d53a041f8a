// Original file: protos/inventory/v1/inventory.proto


export interface Issuance {
  'issuanceId'?: (string);
  'productionFacilityCode'?: (string);
  'standard'?: (string);
  'registry'?: (string);
  'creditType'?: (string);
  'creditTypeId'?: (string);
  'methodologyCode'?: (string);
  'vintage'?: (number);
  'productionStartDate'?: (string);
  'productionEndDate'?: (string);
  'issuingDate'?: (string);
  'expirationDate'?: (string);
  'firstSerial'?: (string);
  'lastSerial'?: (string);
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  'traderId'?: (string);
  '_expirationDate'?: "expirationDate";
  '_salesChannelId'?: "salesChannelId";
  '_traderId'?: "traderId";
}

export interface Issuance__Output {
  'issuanceId': (string);
  'productionFacilityCode': (string);
  'standard': (string);
  'registry': (string);
  'creditType': (string);
  'creditTypeId': (string);
  'methodologyCode': (string);
  'vintage': (number);
  'productionStartDate': (string);
  'productionEndDate': (string);
  'issuingDate': (string);
  'expirationDate'?: (string);
  'firstSerial': (string);
  'lastSerial': (string);
  'accountHolderId': (string);
  'salesChannelId'?: (string);
  'traderId'?: (string);
  '_expirationDate'?: "expirationDate";
  '_salesChannelId'?: "salesChannelId";
  '_traderId'?: "traderId";
}
