import { resolve } from 'node:path';
import { sealingKeys } from '@saleschannel/auth';
import { identityEnvironment, serviceAddress, tlsEnvironment } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import {
  env,
  httpEnvironment,
  processEnvironment,
  sandboxEnvironment,
  type Values,
  recentSignInEnvironment,
} from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...brokerEnvironment,
  ...tlsEnvironment,
  SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY,
  CONSOLE_HOST: env.text('private address that the HTTP server listens on', { default: '127.0.0.1' }),
  CONSOLE_PORT: env.port('port that the HTTP server listens on; 0 chooses a free port', { default: '8071' }),
  CONSOLE_URL: env.url('URL by which operators reach the console: HTTPS, or HTTP on a loopback address', {
    default: 'http://127.0.0.1:8071',
  }),
  CONSOLE_OPERATORS: env.list(
    'operators who may use the console: subjects ("sub") of OIDC_ISSUER, separated by commas',
    { default: '' },
  ),
  CONSOLE_COOKIE_KEYS: env.parsed(
    'keys that encrypt cookies, each 32 bytes in base64url, separated by commas; the first encrypts, all decrypt',
    sealingKeys,
    { secret: true },
  ),
  CONSOLE_OIDC_CLIENT_ID: env.text('client id of the console at the identity provider', { default: 'console' }),
  CONSOLE_OIDC_CLIENT_SECRET: env.text('client secret of the console at the identity provider', { secret: true }),
  CONSOLE_OIDC_SCOPE: env.text('scopes that the console requests, separated by spaces', {
    default: 'openid offline_access',
  }),
  CONSOLE_OIDC_INTERNAL_URL: env.optional(
    env.url(
      'URL by which the console reaches the issuer, if it differs from OIDC_ISSUER; for development in containers',
    ),
  ),
  CONSOLE_WEB_FOLDER: env.text('folder with the built pages of the console', {
    default: resolve(import.meta.dirname, '../../web/dist/console'),
  }),
  RECENT_SIGN_IN_SECONDS: env.integer('maximum age of the sign-in of an operator who makes a change', {
    default: '900',
    min: 1,
    max: 43_200,
  }),
  ...recentSignInEnvironment,
  OIDC_ISSUER: env.url('issuer of tokens; its endpoints are found by OpenID Connect discovery'),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 omits the header', {
    default: '31536000',
  }),
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
};

/** Services that the console monitors and calls, in the order of its pages. */
export const serviceNames = [
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
] as const;

export type ServiceName = (typeof serviceNames)[number];

export type Addresses = Readonly<Record<ServiceName, string>>;

export const toAddresses = (values: Values<typeof environment>): Addresses => ({
  identity: values.IDENTITY_ADDRESS,
  rbac: values.RBAC_ADDRESS,
  traders: values.TRADERS_ADDRESS,
  inventory: values.INVENTORY_ADDRESS,
  tasks: values.TASKS_ADDRESS,
  events: values.EVENTS_ADDRESS,
  'registry-import': values.REGISTRY_IMPORT_ADDRESS,
  webhooks: values.WEBHOOKS_ADDRESS,
});
