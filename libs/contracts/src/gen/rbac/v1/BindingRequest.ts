// Original file: protos/rbac/v1/rbac.proto


export interface BindingRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
}

export interface BindingRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
}
