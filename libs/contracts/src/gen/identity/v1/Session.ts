// Original file: protos/identity/v1/sessions.proto


export interface Session {
  'id'?: (string);
  'client'?: (string);
  'begunOn'?: (string);
  'lastUsedOn'?: (string);
  'expiresAt'?: (string);
  'address'?: (string);
  'signedInAt'?: (string);
  '_address'?: "address";
}

export interface Session__Output {
  'id': (string);
  'client': (string);
  'begunOn': (string);
  'lastUsedOn': (string);
  'expiresAt': (string);
  'address'?: (string);
  'signedInAt': (string);
  '_address'?: "address";
}
