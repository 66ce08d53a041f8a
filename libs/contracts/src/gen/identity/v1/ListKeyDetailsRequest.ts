// Original file: protos/identity/v1/identity.proto


export interface ListKeyDetailsRequest {
}

export interface ListKeyDetailsRequest__Output {
}
