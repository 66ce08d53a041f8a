// Original file: protos/sandbox/v1/sandbox.proto


export interface ResetRequest {
}

export interface ResetRequest__Output {
}
