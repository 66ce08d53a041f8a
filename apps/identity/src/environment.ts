import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, recentSignInEnvironment, sandboxEnvironment } from '@saleschannel/runtime';
import { z } from 'zod';
import { peppersSchema } from './domain/peppers.ts';

/** Never "none" and never HMAC: with those, whoever can read the key set could sign. */
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

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  OIDC_ISSUER: env.url('the OpenID Connect issuer whose access tokens are accepted: their "iss", to the letter'),
  OIDC_AUDIENCE: env.text('the "aud" that access tokens must hold'),
  OIDC_JWKS_URL: env.optional(
    env.url('where the issuer publishes its keys; found by OpenID Connect discovery, else <issuer>/jwks, when unset'),
  ),
  OIDC_ALGORITHMS: env.parsed('signature algorithms of access tokens', algorithms, {
    default: 'ES256,RS256,EdDSA,PS256',
  }),
  OIDC_REQUIRED_SCOPE: env.parsed(
    'scopes that an access token must have, with spaces between; none when unset',
    words,
    {
      default: '',
    },
  ),
  OIDC_REQUIRED_ACR: env.parsed(
    'authentication contexts ("acr") of which an access token must have one, with spaces between; any when unset',
    words,
    { default: '' },
  ),
  RECENT_SIGN_IN: env.oneOf(
    'whom an operation asks for a recent sign-in: people in sessions of the portal, or everybody, with access tokens ' +
      'of their own too',
    ['sessions', 'everybody'],
    { default: 'sessions' },
  ),
  ...recentSignInEnvironment,
  OIDC_KEYS_STALE_SECONDS: env.integer("how long the issuer's keys are used while they cannot be read again", {
    default: '86400',
    min: 600,
    max: 604_800,
  }),
  ANSWER_KEYS: env.parsed(
    'keys under which answers with a secret are kept for repeated requests, 32 bytes in base64url each, separated by ' +
      'commas: the current one first, others only open what was kept before',
    sealingKeys,
    { secret: true },
  ),
  API_KEY_PEPPER: env.parsed(
    'key of the stored hashes: at least 32 random bytes in base64, or several as "<version>:<base64>,…"; the first ' +
      'one is for new keys, and keys whose version is not there are worthless',
    peppersSchema,
    { secret: true },
  ),
};
