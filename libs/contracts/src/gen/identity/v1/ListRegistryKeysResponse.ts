// Original file: protos/identity/v1/identity.proto

import type { Key as _identity_v1_Key, Key__Output as _identity_v1_Key__Output } from '../../identity/v1/Key.ts';

export interface ListRegistryKeysResponse {
  'keys'?: (_identity_v1_Key)[];
}

export interface ListRegistryKeysResponse__Output {
  'keys': (_identity_v1_Key__Output)[];
}
