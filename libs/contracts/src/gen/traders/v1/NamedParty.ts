// Original file: protos/traders/v1/traders.proto


export interface NamedParty {
  'salesChannelId'?: (string);
  'traderId'?: (string);
  'name'?: (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}

export interface NamedParty__Output {
  'salesChannelId': (string);
  'traderId': (string);
  'name': (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}
