// Original file: protos/rbac/v1/rbac.proto


export interface RoleGrant {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'role'?: (string);
}

export interface RoleGrant__Output {
  'userId': (string);
  'salesChannelId': (string);
  'role': (string);
}
