// Original file: protos/rbac/v1/rbac.proto


export interface AcceptInvitationRequest {
  'token'?: (string);
}

export interface AcceptInvitationRequest__Output {
  'token': (string);
}
