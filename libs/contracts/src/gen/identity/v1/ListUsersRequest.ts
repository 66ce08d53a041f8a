// Original file: protos/identity/v1/identity.proto


export interface ListUsersRequest {
  'limit'?: (number);
  'after'?: (string);
  'accountHolderId'?: (string);
  'subject'?: (string);
  'disabled'?: (boolean);
  '_after'?: "after";
  '_accountHolderId'?: "accountHolderId";
  '_subject'?: "subject";
  '_disabled'?: "disabled";
}

export interface ListUsersRequest__Output {
  'limit': (number);
  'after'?: (string);
  'accountHolderId'?: (string);
  'subject'?: (string);
  'disabled'?: (boolean);
  '_after'?: "after";
  '_accountHolderId'?: "accountHolderId";
  '_subject'?: "subject";
  '_disabled'?: "disabled";
}
