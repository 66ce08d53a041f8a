// Original file: protos/rbac/v1/rbac.proto


export interface Binding {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'roles'?: (string)[];
}

export interface Binding__Output {
  'userId': (string);
  'salesChannelId': (string);
  'roles': (string)[];
}
