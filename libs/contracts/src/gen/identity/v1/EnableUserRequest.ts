// Original file: protos/identity/v1/identity.proto


export interface EnableUserRequest {
  'userId'?: (string);
}

export interface EnableUserRequest__Output {
  'userId': (string);
}
