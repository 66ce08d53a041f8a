// Original file: protos/rbac/v1/rbac.proto


export interface EndBindingRequest {
  'userId'?: (string);
}

export interface EndBindingRequest__Output {
  'userId': (string);
}
