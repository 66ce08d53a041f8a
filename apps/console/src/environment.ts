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

/** Every variable that the console reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...brokerEnvironment,
  ...tlsEnvironment,
  SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY,
  CONSOLE_HOST: env.text('address the HTTP server listens at; a private one', { default: '127.0.0.1' }),
  CONSOLE_PORT: env.port('port the HTTP server listens at; 0 takes a free one', { default: '8071' }),
  CONSOLE_URL: env.url('address by which operators reach the console; HTTPS, or HTTP on a loopback address', {
    default: 'http://127.0.0.1:8071',
  }),
  CONSOLE_OPERATORS: env.list('who may use the console: subjects ("sub") of OIDC_ISSUER, separated by commas', {
    default: '',
  }),
  CONSOLE_COOKIE_KEYS: env.parsed(
    'keys that seal cookies, each 32 bytes in base64url, separated by commas; the first one seals, all of them open',
    sealingKeys,
    { secret: true },
  ),
  CONSOLE_OIDC_CLIENT_ID: env.text('client id of the console at the identity provider', { default: 'console' }),
  CONSOLE_OIDC_CLIENT_SECRET: env.text('its client secret', { secret: true }),
  CONSOLE_OIDC_SCOPE: env.text('scopes that the console asks for', { default: 'openid offline_access' }),
  CONSOLE_OIDC_INTERNAL_URL: env.optional(
    env.url('where the console itself reaches the issuer, if not at its address: development in containers'),
  ),
  CONSOLE_WEB_FOLDER: env.text('folder of the built pages', {
    default: resolve(import.meta.dirname, '../../web/dist/console'),
  }),
  RECENT_SIGN_IN_SECONDS: env.integer('how long ago an operator who changes something may have signed in', {
    default: '900',
    min: 1,
    max: 43_200,
  }),
  ...recentSignInEnvironment,
  OIDC_ISSUER: env.url('issuer of tokens, found by discovery'),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 leaves the header out', {
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

/** The services that the console watches and asks, in the order in which it shows them. */
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

/** `host:port` of each service. */
export type Addresses = Readonly<Record<ServiceName, string>>;

export const addressesOf = (values: Values<typeof environment>): Addresses => ({
  identity: values.IDENTITY_ADDRESS,
  rbac: values.RBAC_ADDRESS,
  traders: values.TRADERS_ADDRESS,
  inventory: values.INVENTORY_ADDRESS,
  tasks: values.TASKS_ADDRESS,
  events: values.EVENTS_ADDRESS,
  'registry-import': values.REGISTRY_IMPORT_ADDRESS,
  webhooks: values.WEBHOOKS_ADDRESS,
});
