// Original file: protos/rbac/v1/rbac.proto


export interface GetOwnBindingRequest {
}

export interface GetOwnBindingRequest__Output {
}
