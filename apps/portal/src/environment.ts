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

/** Every variable that the portal reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...securityContactEnvironment,
  ...tlsEnvironment,
  SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY,
  PORTAL_HOST: env.text('address the HTTP server listens at', { default: '127.0.0.1' }),
  PORTAL_PORT: env.port('port the HTTP server listens at; 0 takes a free one', { default: '8070' }),
  PORTAL_URL: env.url(
    'address by which browsers reach the portal; HTTPS, where a proxy ends TLS, or HTTP on a loopback address',
  ),
  PORTAL_API_URL: env.url('address of the gateway, as the portal reaches it'),
  IDENTITY_ADDRESS: serviceAddress('identity'),
  PORTAL_COOKIE_KEYS: env.parsed(
    'keys that seal cookies, each 32 bytes in base64url, separated by commas; the first one seals, all of them open',
    sealingKeys,
    { secret: true },
  ),
  PORTAL_OIDC_CLIENT_ID: env.text('client id of the portal at the identity provider', { default: 'portal' }),
  PORTAL_OIDC_CLIENT_SECRET: env.text('its client secret', { secret: true }),
  PORTAL_OIDC_SCOPE: env.text('scopes that the portal asks for', { default: 'openid email profile' }),
  PORTAL_OIDC_RESOURCE: env.optional(
    env.text('the API that tokens are for (RFC 8707), where the identity provider has to be told'),
  ),
  PORTAL_OIDC_INTERNAL_URL: env.optional(
    env.url('where the portal itself reaches the issuer, if not at its address: development in containers'),
  ),
  OIDC_ISSUER: env.url('issuer of tokens, found by discovery'),
  PORTAL_TRUSTED_PROXIES: env.list('addresses and subnets of proxies whose X-Forwarded-For is believed', {
    default: '',
  }),
  PORTAL_WEB_FOLDER: env.text('folder of the built pages', {
    default: resolve(import.meta.dirname, '../../web/dist/portal'),
  }),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 leaves the header out', {
    default: '31536000',
  }),
};
