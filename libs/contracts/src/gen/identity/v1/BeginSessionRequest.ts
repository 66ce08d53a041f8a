// Original file: protos/identity/v1/sessions.proto

import type { SessionToken as _identity_v1_SessionToken, SessionToken__Output as _identity_v1_SessionToken__Output } from '../../identity/v1/SessionToken.ts';

export interface BeginSessionRequest {
  'id'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'signedInAt'?: (string);
  'acr'?: (string);
  'providerSession'?: (string);
  'expiresAt'?: (string);
  'token'?: (_identity_v1_SessionToken | null);
  '_acr'?: "acr";
  '_providerSession'?: "providerSession";
}

export interface BeginSessionRequest__Output {
  'id': (string);
  'issuer': (string);
  'subject': (string);
  'signedInAt': (string);
  'acr'?: (string);
  'providerSession'?: (string);
  'expiresAt': (string);
  'token': (_identity_v1_SessionToken__Output | null);
  '_acr'?: "acr";
  '_providerSession'?: "providerSession";
}
