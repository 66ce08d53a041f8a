// Original file: protos/identity/v1/identity.proto


export interface User {
  'id'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}

export interface User__Output {
  'id': (string);
  'issuer': (string);
  'subject': (string);
  'accountHolderId'?: (string);
  '_accountHolderId'?: "accountHolderId";
}
