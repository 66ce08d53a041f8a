// Original file: protos/identity/v1/identity.proto


export interface SetAccountHolderRequest {
  'userId'?: (string);
  'accountHolderId'?: (string);
}

export interface SetAccountHolderRequest__Output {
  'userId': (string);
  'accountHolderId': (string);
}
