// Original file: protos/identity/v1/identity.proto


export interface DeleteRegistryKeyRequest {
  'id'?: (string);
}

export interface DeleteRegistryKeyRequest__Output {
  'id': (string);
}
