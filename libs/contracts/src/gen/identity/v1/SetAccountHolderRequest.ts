// Original file: protos/identity/v1/identity.proto


export interface SetAccountHolderRequest {
  'userId'?: (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}

export interface SetAccountHolderRequest__Output {
  'userId': (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}
