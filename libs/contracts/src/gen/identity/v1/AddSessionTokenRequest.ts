// Original file: protos/identity/v1/sessions.proto

import type { SessionToken as _identity_v1_SessionToken, SessionToken__Output as _identity_v1_SessionToken__Output } from '../../identity/v1/SessionToken.ts';

export interface AddSessionTokenRequest {
  'id'?: (string);
  'token'?: (_identity_v1_SessionToken | null);
}

export interface AddSessionTokenRequest__Output {
  'id': (string);
  'token': (_identity_v1_SessionToken__Output | null);
}
