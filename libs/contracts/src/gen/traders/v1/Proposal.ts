// Original file: protos/traders/v1/traders.proto


export interface Proposal {
  'id'?: (string);
  'name'?: (string);
  'businessId'?: (string);
  'onboardedTraderId'?: (string);
  'status'?: (string);
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  '_onboardedTraderId'?: "onboardedTraderId";
}

export interface Proposal__Output {
  'id': (string);
  'name': (string);
  'businessId': (string);
  'onboardedTraderId'?: (string);
  'status': (string);
  'accountHolderId': (string);
  'salesChannelId': (string);
  '_onboardedTraderId'?: "onboardedTraderId";
}
