// Original file: protos/identity/v1/identity.proto


export interface DeleteKeyRequest {
  'id'?: (string);
}

export interface DeleteKeyRequest__Output {
  'id': (string);
}
