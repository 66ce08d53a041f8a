// Original file: protos/identity/v1/identity.proto


export interface User {
  'id'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'accountHolderId'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  '_accountHolderId'?: "accountHolderId";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
}

export interface User__Output {
  'id': (string);
  'issuer': (string);
  'subject': (string);
  'accountHolderId'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  '_accountHolderId'?: "accountHolderId";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
}
