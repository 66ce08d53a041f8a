// Original file: protos/identity/v1/sessions.proto


export interface EndSessionResponse {
}

export interface EndSessionResponse__Output {
}
