// Original file: protos/rbac/v1/rbac.proto


export interface ListUsersRequest {
}

export interface ListUsersRequest__Output {
}
