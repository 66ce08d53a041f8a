// Original file: protos/rbac/v1/rbac.proto


export interface ChannelUser {
  'userId'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'roles'?: (string)[];
  'email'?: (string);
  'name'?: (string);
  'lastSeenOn'?: (string);
  '_email'?: "email";
  '_name'?: "name";
  '_lastSeenOn'?: "lastSeenOn";
}

export interface ChannelUser__Output {
  'userId': (string);
  'issuer': (string);
  'subject': (string);
  'roles': (string)[];
  'email'?: (string);
  'name'?: (string);
  'lastSeenOn'?: (string);
  '_email'?: "email";
  '_name'?: "name";
  '_lastSeenOn'?: "lastSeenOn";
}
