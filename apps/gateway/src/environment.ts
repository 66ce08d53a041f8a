import { identityEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment } from '@saleschannel/runtime';

/** Every variable the gateway reads. */
export const environment = {
  ...processEnvironment,
  ...identityEnvironment,
  ...brokerEnvironment,
  GATEWAY_HOST: env.text('address the HTTP server listens at', { default: '127.0.0.1' }),
  GATEWAY_PORT: env.port('port the HTTP server listens at; 0 takes a free one', { default: '8080' }),
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  RATE_LIMIT_PER_SECOND: env.integer('requests per second that one user may send for long', {
    default: '500',
    min: 1,
    max: 1_000_000,
  }),
  RATE_LIMIT_BURST: env.integer('requests that one user may send at once', {
    default: '1000',
    min: 1,
    max: 10_000_000,
  }),
  FAILED_LOGINS_PER_MINUTE: env.integer('failed log-ins that one address may make per minute', {
    default: '300',
    min: 1,
    max: 1_000_000,
  }),
  BODY_BYTES_AT_MOST: env.integer('largest request body in bytes; imports have their own limit', {
    default: '1048576',
    min: 1_024,
    max: 6_291_456,
  }),
  MAX_CONNECTIONS: env.integer('connections open at once', { default: '10000', min: 1 }),
  TRUSTED_PROXIES: env.list(
    'addresses and subnets of proxies whose X-Forwarded-For is believed; "loopback" is one too',
    { default: '' },
  ),
  CORS_ORIGINS: env.list('web origins whose pages may call the API', { default: '' }),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 leaves the header out', { default: '0' }),
};
