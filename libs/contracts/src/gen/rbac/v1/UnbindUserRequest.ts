// Original file: protos/rbac/v1/rbac.proto


export interface UnbindUserRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
}

export interface UnbindUserRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
}
