// Original file: protos/traders/v1/traders.proto


export interface Party {
  'salesChannelId'?: (string);
  'traderId'?: (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}

export interface Party__Output {
  'salesChannelId': (string);
  'traderId': (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}
