// Original file: protos/identity/v1/identity.proto


export interface KeyDetail {
  'id'?: (string);
  'kind'?: (string);
  'name'?: (string);
  'createdOn'?: (string);
  'expiresAt'?: (string);
  'lastUsedOn'?: (string);
  'madeWithKeyId'?: (string);
  '_name'?: "name";
  '_lastUsedOn'?: "lastUsedOn";
  '_madeWithKeyId'?: "madeWithKeyId";
}

export interface KeyDetail__Output {
  'id': (string);
  'kind': (string);
  'name'?: (string);
  'createdOn': (string);
  'expiresAt': (string);
  'lastUsedOn'?: (string);
  'madeWithKeyId'?: (string);
  '_name'?: "name";
  '_lastUsedOn'?: "lastUsedOn";
  '_madeWithKeyId'?: "madeWithKeyId";
}
