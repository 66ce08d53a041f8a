// Original file: protos/rbac/v1/rbac.proto


export interface RoleResponse {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'role'?: (string);
}

export interface RoleResponse__Output {
  'userId': (string);
  'salesChannelId': (string);
  'role': (string);
}
