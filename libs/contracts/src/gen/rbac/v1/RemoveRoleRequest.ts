// Original file: protos/rbac/v1/rbac.proto


export interface RemoveRoleRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'role'?: (string);
}

export interface RemoveRoleRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
  'role': (string);
}
