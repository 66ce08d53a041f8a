// Original file: protos/identity/v1/identity.proto

import type { User as _identity_v1_User, User__Output as _identity_v1_User__Output } from '../../identity/v1/User.ts';

export interface ListUsersResponse {
  'users'?: (_identity_v1_User)[];
  'searched'?: (boolean);
}

export interface ListUsersResponse__Output {
  'users': (_identity_v1_User__Output)[];
  'searched': (boolean);
}
