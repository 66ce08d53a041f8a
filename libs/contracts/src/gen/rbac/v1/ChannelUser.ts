// Original file: protos/rbac/v1/rbac.proto


export interface ChannelUser {
  'userId'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'roles'?: (string)[];
}

export interface ChannelUser__Output {
  'userId': (string);
  'issuer': (string);
  'subject': (string);
  'roles': (string)[];
}
