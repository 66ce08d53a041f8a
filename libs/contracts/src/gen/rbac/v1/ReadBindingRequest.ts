// Original file: protos/rbac/v1/rbac.proto


export interface ReadBindingRequest {
  'userId'?: (string);
}

export interface ReadBindingRequest__Output {
  'userId': (string);
}
