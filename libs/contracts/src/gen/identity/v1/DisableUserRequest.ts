// Original file: protos/identity/v1/identity.proto


export interface DisableUserRequest {
  'userId'?: (string);
  'reason'?: (string);
}

export interface DisableUserRequest__Output {
  'userId': (string);
  'reason': (string);
}
