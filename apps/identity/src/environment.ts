import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, type Variable } from '@saleschannel/runtime';

const PEPPER_BYTES_AT_LEAST = 32;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function parsePepper(text: string): Buffer {
  const pepper = Buffer.from(text, 'base64');
  const isPepper = BASE64.test(text) && pepper.length >= PEPPER_BYTES_AT_LEAST;
  if (!isPepper) throw new Error(`must be at least ${PEPPER_BYTES_AT_LEAST} random bytes in base64`);
  return pepper;
}

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

function parseAlgorithms(text: string): string[] {
  const algorithms = text.split(',').map((item) => item.trim());
  const unknown = algorithms.find((algorithm) => !asymmetricAlgorithms.includes(algorithm));
  if (unknown !== undefined)
    throw new Error(`must list some of ${asymmetricAlgorithms.join(', ')}; "${unknown}" is none of them`);
  return algorithms;
}

const parsed = <T>(variable: Variable<string>, parse: (text: string) => T): Variable<T> => ({ ...variable, parse });

export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  RBAC_ADDRESS: serviceAddress('rbac'),
  OIDC_ISSUER: env.url('the OpenID Connect issuer whose access tokens are accepted: their "iss", to the letter'),
  OIDC_AUDIENCE: env.text('the "aud" that access tokens must hold'),
  OIDC_JWKS_URL: env.optional(
    env.url('where the issuer publishes its keys; found by OpenID Connect discovery, else <issuer>/jwks, when unset'),
  ),
  OIDC_ALGORITHMS: parsed(
    env.text('signature algorithms of access tokens', { default: 'ES256,RS256,EdDSA,PS256' }),
    parseAlgorithms,
  ),
  API_KEY_PEPPER: parsed(
    env.text('key of the stored hashes, at least 32 random bytes in base64; with another one every key is worthless', {
      secret: true,
    }),
    parsePepper,
  ),
};
