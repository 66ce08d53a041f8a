// Original file: protos/identity/v1/identity.proto


export interface Key {
  'id'?: (string);
  'createdOn'?: (string);
  'expiresAt'?: (string);
}

export interface Key__Output {
  'id': (string);
  'createdOn': (string);
  'expiresAt': (string);
}
