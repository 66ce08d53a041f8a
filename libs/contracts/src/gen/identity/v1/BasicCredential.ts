// Original file: protos/identity/v1/identity.proto


export interface BasicCredential {
  'username'?: (string);
  'password'?: (string);
}

export interface BasicCredential__Output {
  'username': (string);
  'password': (string);
}
