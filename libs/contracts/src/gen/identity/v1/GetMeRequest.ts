// Original file: protos/identity/v1/identity.proto


export interface GetMeRequest {
}

export interface GetMeRequest__Output {
}
