import { resolve } from 'node:path';
import { sealingKeys } from '@saleschannel/auth';
import { identityEnvironment, serviceAddress, tlsEnvironment } from '@saleschannel/grpc';
import {
  env,
  httpEnvironment,
  processEnvironment,
  sandboxEnvironment,
  securityContactEnvironment,
} from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...securityContactEnvironment,
  ...tlsEnvironment,
  SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY,
  PORTAL_HOST: env.text('address that the HTTP server listens on', { default: '127.0.0.1' }),
  PORTAL_PORT: env.port('port that the HTTP server listens on; 0 chooses a free port', { default: '8070' }),
  PORTAL_URL: env.url(
    'URL by which browsers reach the portal: HTTPS behind a proxy that terminates TLS, or HTTP on a loopback address',
  ),
  PORTAL_API_URL: env.url('URL by which the portal reaches the gateway'),
  IDENTITY_ADDRESS: serviceAddress('identity'),
  PORTAL_COOKIE_KEYS: env.parsed(
    'keys that encrypt cookies, each 32 bytes in base64url, separated by commas; the first encrypts, all decrypt',
    sealingKeys,
    { secret: true },
  ),
  PORTAL_OIDC_CLIENT_ID: env.text('client id of the portal at the identity provider', { default: 'portal' }),
  PORTAL_OIDC_CLIENT_SECRET: env.text('client secret of the portal at the identity provider', { secret: true }),
  PORTAL_OIDC_SCOPE: env.text('scopes that the portal requests, separated by spaces', {
    default: 'openid email profile',
  }),
  PORTAL_OIDC_RESOURCE: env.optional(
    env.text('API that tokens are for (RFC 8707), if the identity provider requires the resource parameter'),
  ),
  PORTAL_OIDC_INTERNAL_URL: env.optional(
    env.url(
      'URL by which the portal reaches the issuer, if it differs from OIDC_ISSUER; for development in containers',
    ),
  ),
  OIDC_ISSUER: env.url('issuer of tokens; its endpoints are found by OpenID Connect discovery'),
  PORTAL_TRUSTED_PROXIES: env.list(
    'addresses and subnets of proxies whose X-Forwarded-For header is trusted, separated by commas',
    { default: '' },
  ),
  PORTAL_WEB_FOLDER: env.text('folder with the built pages of the portal', {
    default: resolve(import.meta.dirname, '../../web/dist/portal'),
  }),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 omits the header', {
    default: '31536000',
  }),
};
