// Original file: protos/rbac/v1/rbac.proto


export interface GrantRoleRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'role'?: (string);
}

export interface GrantRoleRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
  'role': (string);
}
