// Original file: protos/identity/v1/sessions.proto


export interface AddSessionTokenResponse {
}

export interface AddSessionTokenResponse__Output {
}
