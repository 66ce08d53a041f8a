// Original file: protos/rbac/v1/rbac.proto

import type { Invitation as _rbac_v1_Invitation, Invitation__Output as _rbac_v1_Invitation__Output } from '../../rbac/v1/Invitation.ts';

export interface CreatedInvitation {
  'invitation'?: (_rbac_v1_Invitation | null);
  'token'?: (string);
}

export interface CreatedInvitation__Output {
  'invitation': (_rbac_v1_Invitation__Output | null);
  'token': (string);
}
