import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, recentSignInEnvironment, sandboxEnvironment } from '@saleschannel/runtime';
import { z } from 'zod';
import { peppersSchema } from './domain/credentials.ts';

/** Excludes "none" and HMAC, with which any reader of the key set could sign. */
const asymmetricAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
];

const algorithm = z.enum(asymmetricAlgorithms, {
  error: ({ input }) => `must list some of ${asymmetricAlgorithms.join(', ')}; "${String(input)}" is none of them`,
});

const algorithms = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(algorithm));

const words = z.string().transform((text) => text.split(' ').filter((word) => word !== ''));

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  OIDC_ISSUER: env.url('OpenID Connect issuer whose access tokens are accepted; must equal their "iss" exactly'),
  OIDC_AUDIENCE: env.text('required "aud" of access tokens'),
  OIDC_JWKS_URL: env.optional(
    env.url('URL of the keys of the issuer; when unset, found by OpenID Connect discovery, or else <issuer>/jwks'),
  ),
  OIDC_ALGORITHMS: env.parsed('accepted signature algorithms of access tokens, separated by commas', algorithms, {
    default: 'ES256,RS256,EdDSA,PS256',
  }),
  OIDC_REQUIRED_SCOPE: env.parsed(
    'scopes that an access token must have, separated by spaces; none when unset',
    words,
    { default: '' },
  ),
  OIDC_REQUIRED_ACR: env.parsed(
    'authentication contexts ("acr"), one of which an access token must have, separated by spaces; any when unset',
    words,
    { default: '' },
  ),
  RECENT_SIGN_IN: env.oneOf(
    'who needs a recent sign-in for operations that ask for one: people in sessions of the portal, or everybody, ' +
      'including users with access tokens of their own',
    ['sessions', 'everybody'],
    { default: 'sessions' },
  ),
  ...recentSignInEnvironment,
  OIDC_KEYS_STALE_SECONDS: env.integer("time that the issuer's keys remain in use while they cannot be refreshed", {
    default: '86400',
    min: 600,
    max: 604_800,
  }),
  ANSWER_KEYS: env.parsed(
    'keys that encrypt stored responses with secrets, kept for repeated requests, each 32 bytes in base64url, ' +
      'separated by commas; the first encrypts, all decrypt',
    sealingKeys,
    { secret: true },
  ),
  API_KEY_PEPPER: env.parsed(
    'key of the stored hashes: at least 32 random bytes in base64, or several as "<version>:<base64>,…"; new keys ' +
      'use the first, and keys hashed with a version that is not listed become invalid',
    peppersSchema,
    { secret: true },
  ),
};
