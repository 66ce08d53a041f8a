// Original file: protos/rbac/v1/rbac.proto


export interface GetUserBindingRequest {
  'userId'?: (string);
}

export interface GetUserBindingRequest__Output {
  'userId': (string);
}
