// Original file: protos/identity/v1/identity.proto


export interface DeleteApiKeyRequest {
  'id'?: (string);
}

export interface DeleteApiKeyRequest__Output {
  'id': (string);
}
