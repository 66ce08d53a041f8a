// Original file: protos/identity/v1/identity.proto


export interface RevokeKeyRequest {
  'keyId'?: (string);
}

export interface RevokeKeyRequest__Output {
  'keyId': (string);
}
