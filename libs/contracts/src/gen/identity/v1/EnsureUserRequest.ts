// Original file: protos/identity/v1/identity.proto


export interface EnsureUserRequest {
  'issuer'?: (string);
  'subject'?: (string);
}

export interface EnsureUserRequest__Output {
  'issuer': (string);
  'subject': (string);
}
