// Original file: protos/rbac/v1/rbac.proto


export interface RoleRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'role'?: (string);
}

export interface RoleRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
  'role': (string);
}
