// Original file: protos/identity/v1/identity.proto


export interface DeleteApiKeyRequest {
  'id'?: (string);
  'descendants'?: (boolean);
}

export interface DeleteApiKeyRequest__Output {
  'id': (string);
  'descendants': (boolean);
}
