// Original file: protos/identity/v1/identity.proto


export interface KeyCredential {
  'keyId'?: (string);
  'secret'?: (string);
}

export interface KeyCredential__Output {
  'keyId': (string);
  'secret': (string);
}
