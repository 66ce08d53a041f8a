// Original file: protos/identity/v1/identity.proto


export interface User {
  'id'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'accountHolderId'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  'email'?: (string);
  'emailVerified'?: (boolean);
  'name'?: (string);
  'lastSeenOn'?: (string);
  '_accountHolderId'?: "accountHolderId";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
  '_email'?: "email";
  '_emailVerified'?: "emailVerified";
  '_name'?: "name";
  '_lastSeenOn'?: "lastSeenOn";
}

export interface User__Output {
  'id': (string);
  'issuer': (string);
  'subject': (string);
  'accountHolderId'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  'email'?: (string);
  'emailVerified'?: (boolean);
  'name'?: (string);
  'lastSeenOn'?: (string);
  '_accountHolderId'?: "accountHolderId";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
  '_email'?: "email";
  '_emailVerified'?: "emailVerified";
  '_name'?: "name";
  '_lastSeenOn'?: "lastSeenOn";
}
