// Original file: protos/rbac/v1/rbac.proto


export interface ListInvitationsRequest {
}

export interface ListInvitationsRequest__Output {
}
