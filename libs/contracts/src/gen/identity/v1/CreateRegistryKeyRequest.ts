// Original file: protos/identity/v1/identity.proto


export interface CreateRegistryKeyRequest {
  'expiresAt'?: (string);
}

export interface CreateRegistryKeyRequest__Output {
  'expiresAt': (string);
}
