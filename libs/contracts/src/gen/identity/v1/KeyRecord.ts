// Original file: protos/identity/v1/identity.proto


export interface KeyRecord {
  'id'?: (string);
  'kind'?: (string);
  'userId'?: (string);
  'accountHolderId'?: (string);
  'madeWithKeyId'?: (string);
  'createdOn'?: (string);
  'expiresAt'?: (string);
  '_userId'?: "userId";
  '_accountHolderId'?: "accountHolderId";
  '_madeWithKeyId'?: "madeWithKeyId";
}

export interface KeyRecord__Output {
  'id': (string);
  'kind': (string);
  'userId'?: (string);
  'accountHolderId'?: (string);
  'madeWithKeyId'?: (string);
  'createdOn': (string);
  'expiresAt': (string);
  '_userId'?: "userId";
  '_accountHolderId'?: "accountHolderId";
  '_madeWithKeyId'?: "madeWithKeyId";
}
