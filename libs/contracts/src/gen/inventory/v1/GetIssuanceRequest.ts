// Original file: protos/inventory/v1/inventory.proto


export interface GetIssuanceRequest {
  'issuanceId'?: (string);
}

export interface GetIssuanceRequest__Output {
  'issuanceId': (string);
}
