// Original file: protos/identity/v1/identity.proto


export interface ListUsersRequest {
  'limit'?: (number);
  'after'?: (string);
  'accountHolderId'?: (string);
  'subject'?: (string);
  'disabled'?: (boolean);
  'subjectPart'?: (string);
  '_after'?: "after";
  '_accountHolderId'?: "accountHolderId";
  '_subject'?: "subject";
  '_disabled'?: "disabled";
  '_subjectPart'?: "subjectPart";
}

export interface ListUsersRequest__Output {
  'limit': (number);
  'after'?: (string);
  'accountHolderId'?: (string);
  'subject'?: (string);
  'disabled'?: (boolean);
  'subjectPart'?: (string);
  '_after'?: "after";
  '_accountHolderId'?: "accountHolderId";
  '_subject'?: "subject";
  '_disabled'?: "disabled";
  '_subjectPart'?: "subjectPart";
}
