// Original file: protos/identity/v1/identity.proto


export interface CreateApiKeyRequest {
}

export interface CreateApiKeyRequest__Output {
}
