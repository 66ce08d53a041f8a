import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment } from '@saleschannel/runtime';
import { z } from 'zod';

const PEPPER_BYTES_AT_LEAST = 32;
const pepperFault = `must be at least ${PEPPER_BYTES_AT_LEAST} random bytes in base64`;

const pepper = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: pepperFault })
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(({ length }) => length >= PEPPER_BYTES_AT_LEAST, { error: pepperFault });

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

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
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
  API_KEY_PEPPER: env.parsed(
    'key of the stored hashes, at least 32 random bytes in base64; with another one every key is worthless',
    pepper,
    { secret: true },
  ),
};
