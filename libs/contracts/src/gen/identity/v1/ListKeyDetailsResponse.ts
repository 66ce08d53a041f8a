// Original file: protos/identity/v1/identity.proto

import type { KeyDetail as _identity_v1_KeyDetail, KeyDetail__Output as _identity_v1_KeyDetail__Output } from '../../identity/v1/KeyDetail.ts';

export interface ListKeyDetailsResponse {
  'keys'?: (_identity_v1_KeyDetail)[];
}

export interface ListKeyDetailsResponse__Output {
  'keys': (_identity_v1_KeyDetail__Output)[];
}
