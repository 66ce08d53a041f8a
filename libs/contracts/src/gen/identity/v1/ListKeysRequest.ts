// Original file: protos/identity/v1/identity.proto


export interface ListKeysRequest {
  'limit'?: (number);
  'after'?: (string);
  'userId'?: (string);
  'accountHolderId'?: (string);
  'madeWithKeyId'?: (string);
  '_after'?: "after";
  '_userId'?: "userId";
  '_accountHolderId'?: "accountHolderId";
  '_madeWithKeyId'?: "madeWithKeyId";
}

export interface ListKeysRequest__Output {
  'limit': (number);
  'after'?: (string);
  'userId'?: (string);
  'accountHolderId'?: (string);
  'madeWithKeyId'?: (string);
  '_after'?: "after";
  '_userId'?: "userId";
  '_accountHolderId'?: "accountHolderId";
  '_madeWithKeyId'?: "madeWithKeyId";
}
