// Original file: protos/rbac/v1/rbac.proto


export interface BindUserRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
}

export interface BindUserRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
}
