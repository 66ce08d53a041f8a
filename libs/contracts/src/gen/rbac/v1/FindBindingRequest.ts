// Original file: protos/rbac/v1/rbac.proto


export interface FindBindingRequest {
  'userId'?: (string);
}

export interface FindBindingRequest__Output {
  'userId': (string);
}
