// Original file: protos/rbac/v1/rbac.proto


export interface RevokeInvitationRequest {
  'invitationId'?: (string);
}

export interface RevokeInvitationRequest__Output {
  'invitationId': (string);
}
