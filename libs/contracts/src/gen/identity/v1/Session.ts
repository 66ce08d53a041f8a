// Original file: protos/identity/v1/sessions.proto


export interface Session {
  'id'?: (string);
  'client'?: (string);
  'begunOn'?: (string);
  'lastUsedOn'?: (string);
  'expiresAt'?: (string);
  'address'?: (string);
  'signedInAt'?: (string);
  'userId'?: (string);
  'isCurrent'?: (boolean);
  '_address'?: "address";
  '_userId'?: "userId";
}

export interface Session__Output {
  'id': (string);
  'client': (string);
  'begunOn': (string);
  'lastUsedOn': (string);
  'expiresAt': (string);
  'address'?: (string);
  'signedInAt': (string);
  'userId'?: (string);
  'isCurrent': (boolean);
  '_address'?: "address";
  '_userId'?: "userId";
}
