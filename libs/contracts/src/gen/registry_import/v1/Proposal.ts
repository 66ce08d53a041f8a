// Original file: protos/registry_import/v1/registry_import.proto


export interface Proposal {
  'id'?: (string);
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  'name'?: (string);
  'businessId'?: (string);
  'onboardedTraderId'?: (string);
  'status'?: (string);
  '_onboardedTraderId'?: "onboardedTraderId";
}

export interface Proposal__Output {
  'id': (string);
  'accountHolderId': (string);
  'salesChannelId': (string);
  'name': (string);
  'businessId': (string);
  'onboardedTraderId'?: (string);
  'status': (string);
  '_onboardedTraderId'?: "onboardedTraderId";
}
