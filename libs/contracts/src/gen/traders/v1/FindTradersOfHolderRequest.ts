// Original file: protos/traders/v1/traders.proto


export interface FindTradersOfHolderRequest {
  'accountHolderId'?: (string);
}

export interface FindTradersOfHolderRequest__Output {
  'accountHolderId': (string);
}
