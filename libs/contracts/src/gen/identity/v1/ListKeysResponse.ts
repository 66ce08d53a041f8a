// Original file: protos/identity/v1/identity.proto

import type { KeyRecord as _identity_v1_KeyRecord, KeyRecord__Output as _identity_v1_KeyRecord__Output } from '../../identity/v1/KeyRecord.ts';

export interface ListKeysResponse {
  'keys'?: (_identity_v1_KeyRecord)[];
}

export interface ListKeysResponse__Output {
  'keys': (_identity_v1_KeyRecord__Output)[];
}
