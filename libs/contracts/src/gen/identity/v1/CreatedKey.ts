// Original file: protos/identity/v1/identity.proto

import type { Key as _identity_v1_Key, Key__Output as _identity_v1_Key__Output } from '../../identity/v1/Key.ts';

export interface CreatedKey {
  'key'?: (_identity_v1_Key | null);
  'secret'?: (string);
}

export interface CreatedKey__Output {
  'key': (_identity_v1_Key__Output | null);
  'secret': (string);
}
