// Original file: protos/rbac/v1/rbac.proto


export interface CreateInvitationRequest {
  'email'?: (string);
  'roles'?: (string)[];
  '_email'?: "email";
}

export interface CreateInvitationRequest__Output {
  'email'?: (string);
  'roles': (string)[];
  '_email'?: "email";
}
