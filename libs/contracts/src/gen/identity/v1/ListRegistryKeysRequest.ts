// Original file: protos/identity/v1/identity.proto


export interface ListRegistryKeysRequest {
}

export interface ListRegistryKeysRequest__Output {
}
