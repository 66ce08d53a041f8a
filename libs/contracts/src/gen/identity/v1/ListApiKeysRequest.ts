// Original file: protos/identity/v1/identity.proto


export interface ListApiKeysRequest {
}

export interface ListApiKeysRequest__Output {
}
