// Original file: protos/rbac/v1/rbac.proto

import type { Invitation as _rbac_v1_Invitation, Invitation__Output as _rbac_v1_Invitation__Output } from '../../rbac/v1/Invitation.ts';

export interface ListInvitationsResponse {
  'invitations'?: (_rbac_v1_Invitation)[];
}

export interface ListInvitationsResponse__Output {
  'invitations': (_rbac_v1_Invitation__Output)[];
}
