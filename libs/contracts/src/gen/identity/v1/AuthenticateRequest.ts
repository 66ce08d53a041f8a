// Original file: protos/identity/v1/identity.proto

import type { Surface as _identity_v1_Surface, Surface__Output as _identity_v1_Surface__Output } from '../../identity/v1/Surface.ts';
import type { BasicCredential as _identity_v1_BasicCredential, BasicCredential__Output as _identity_v1_BasicCredential__Output } from '../../identity/v1/BasicCredential.ts';

export interface AuthenticateRequest {
  'surface'?: (_identity_v1_Surface);
  'bearerToken'?: (string);
  'basic'?: (_identity_v1_BasicCredential | null);
  'credential'?: "bearerToken"|"basic";
}

export interface AuthenticateRequest__Output {
  'surface': (_identity_v1_Surface__Output);
  'bearerToken'?: (string);
  'basic'?: (_identity_v1_BasicCredential__Output | null);
  'credential'?: "bearerToken"|"basic";
}
