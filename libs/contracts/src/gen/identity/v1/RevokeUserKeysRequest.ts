// Original file: protos/identity/v1/identity.proto


export interface RevokeUserKeysRequest {
  'userId'?: (string);
}

export interface RevokeUserKeysRequest__Output {
  'userId': (string);
}
