// Original file: protos/identity/v1/identity.proto


export interface KeyDetail {
  'id'?: (string);
  'kind'?: (string);
  'name'?: (string);
  'createdOn'?: (string);
  'expiresAt'?: (string);
  'lastUsedOn'?: (string);
  '_name'?: "name";
  '_lastUsedOn'?: "lastUsedOn";
}

export interface KeyDetail__Output {
  'id': (string);
  'kind': (string);
  'name'?: (string);
  'createdOn': (string);
  'expiresAt': (string);
  'lastUsedOn'?: (string);
  '_name'?: "name";
  '_lastUsedOn'?: "lastUsedOn";
}
