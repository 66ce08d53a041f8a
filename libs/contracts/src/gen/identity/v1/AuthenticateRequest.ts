// Original file: protos/identity/v1/identity.proto

import type { Surface as _identity_v1_Surface, Surface__Output as _identity_v1_Surface__Output } from '../../identity/v1/Surface.ts';
import type { KeyCredential as _identity_v1_KeyCredential, KeyCredential__Output as _identity_v1_KeyCredential__Output } from '../../identity/v1/KeyCredential.ts';

export interface AuthenticateRequest {
  'surface'?: (_identity_v1_Surface);
  'bearerToken'?: (string);
  'key'?: (_identity_v1_KeyCredential | null);
  'receivers'?: (string)[];
  'credential'?: "bearerToken"|"key";
}

export interface AuthenticateRequest__Output {
  'surface': (_identity_v1_Surface__Output);
  'bearerToken'?: (string);
  'key'?: (_identity_v1_KeyCredential__Output | null);
  'receivers': (string)[];
  'credential'?: "bearerToken"|"key";
}
