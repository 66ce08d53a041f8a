import { resolve } from 'node:path';
import { identityEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import {
  env,
  httpEnvironment,
  processEnvironment,
  sandboxEnvironment,
  securityContactEnvironment,
} from '@saleschannel/runtime';
import { dateTime } from '@saleschannel/primitives/validation';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...securityContactEnvironment,
  ...identityEnvironment,
  ...brokerEnvironment,
  GATEWAY_HOST: env.text('address that the HTTP server listens on', { default: '127.0.0.1' }),
  GATEWAY_PORT: env.port('port that the HTTP server listens on; 0 chooses a free port', { default: '8080' }),
  REGISTRY_PORT: env.optional(
    env.port('separate port of the registry API, which is then served on this port only; none when unset'),
  ),
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  SANDBOX_ADDRESS: serviceAddress('sandbox'),
  RATE_LIMIT_PER_SECOND: env.integer('sustained requests per second that one user may send', {
    default: '500',
    min: 1,
    max: 1_000_000,
  }),
  RATE_LIMIT_BURST: env.integer('requests that one user may send in a burst', {
    default: '1000',
    min: 1,
    max: 10_000_000,
  }),
  CHANNEL_RATE_LIMIT_PER_SECOND: env.integer(
    'sustained requests per second that all users of a sales channel may send',
    { default: '1000', min: 1, max: 1_000_000 },
  ),
  CHANNEL_RATE_LIMIT_BURST: env.integer('requests that all users of a sales channel may send in a burst', {
    default: '2000',
    min: 1,
    max: 10_000_000,
  }),
  CHANNEL_READS_AT_ONCE: env.integer(
    'maximum concurrent reads of one sales channel at one service; further reads wait in a queue',
    { default: '4', min: 1, max: 1_000 },
  ),
  PUBLIC_RATE_LIMIT_PER_SECOND: env.integer('sustained public requests per second that one address may send', {
    default: '20',
    min: 1,
    max: 1_000_000,
  }),
  PUBLIC_RATE_LIMIT_BURST: env.integer('public requests that one address may send in a burst', {
    default: '200',
    min: 1,
    max: 10_000_000,
  }),
  RATE_LIMIT_ANSWER_DELAY_MS: env.integer('delay of the response to a request above the limit', {
    default: '500',
    min: 0,
    max: 10_000,
  }),
  FAILED_LOGINS_PER_MINUTE: env.integer('failed log-ins per minute from one address', {
    default: '300',
    min: 1,
    max: 1_000_000,
  }),
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: env.integer('failed log-ins per minute with one key id, from all addresses', {
    default: '60',
    min: 1,
    max: 1_000_000,
  }),
  BODY_BYTES_AT_MOST: env.integer('upper bound, in bytes, for the limits of request bodies in the contract', {
    default: '262144',
    min: 1_024,
    max: 6_291_456,
  }),
  BODY_TIMEOUT_MS: env.integer('time limit for receiving a request body; imports have no limit', {
    default: '30000',
    min: 100,
    max: 600_000,
  }),
  HEADER_BYTES_AT_MOST: env.integer('maximum size of all headers of a request, in bytes', {
    default: '16384',
    min: 4_096,
    max: 65_536,
  }),
  HEADERS_TIMEOUT_MS: env.integer('time limit for receiving the headers of a request', {
    default: '20000',
    min: 100,
    max: 600_000,
  }),
  QUERY_CHARACTERS_AT_MOST: env.integer('maximum length of a query string, in characters', {
    default: '8192',
    min: 256,
    max: 16_384,
  }),
  JSON_DEPTH_AT_MOST: env.integer('maximum depth of objects and arrays in a body', { default: '20', min: 4, max: 100 }),
  JSON_MEMBERS_AT_MOST: env.integer('maximum members of one object in a body', {
    default: '200',
    min: 32,
    max: 10_000,
  }),
  JSON_VALUES_AT_MOST: env.integer('maximum members and items in a body, counted together', {
    default: '10000',
    min: 100,
    max: 1_000_000,
  }),
  JSON_NUMBER_CHARACTERS_AT_MOST: env.integer('maximum length of a number in a body, in characters', {
    default: '64',
    min: 20,
    max: 1_000,
  }),
  SELECTIONS_AT_MOST: env.integer('maximum selections in one request', { default: '1000', min: 1, max: 1_000 }),
  MAX_CONNECTIONS: env.integer('maximum open connections', { default: '10000', min: 1 }),
  CONNECTIONS_PER_ADDRESS: env.integer('maximum open connections from one address; trusted proxies have no limit', {
    default: '2000',
    min: 1,
  }),
  CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS: env.integer(
    'maximum open connections from one address without valid credentials so far; a new one replaces the oldest',
    { default: '500', min: 1 },
  ),
  CONNECTION_AGE_SECONDS: env.integer(
    'age after which the next response closes its connection, so that clients find new gateways',
    { default: '8', min: 1, max: 86_400 },
  ),
  STALLED_CONNECTION_MS: env.integer(
    'time without a byte after which the gateway drops a half-sent request or unread response',
    { default: '60000', min: 100, max: 600_000 },
  ),
  ANSWER_BYTES_PER_MINUTE_AT_LEAST: env.integer(
    'minimum bytes of its response that a client must read per minute, however often it reads, to stay connected',
    { default: '65536', min: 1, max: 16_777_216 },
  ),
  EVENT_STREAMS_AT_MOST: env.integer('maximum open event streams', { default: '1000', min: 1, max: 100_000 }),
  EVENT_STREAMS_PER_CHANNEL: env.integer('maximum open event streams of the users of one sales channel', {
    default: '200',
    min: 1,
    max: 100_000,
  }),
  EVENT_STREAMS_PER_USER: env.integer('maximum open event streams of one user', {
    default: '10',
    min: 1,
    max: 1_000,
  }),
  TASK_WAITS_AT_MOST: env.integer(
    'maximum concurrent requests that wait for their task to end (Prefer: wait); further ones do not wait',
    { default: '2000', min: 1, max: 100_000 },
  ),
  TASK_WAITS_PER_CHANNEL: env.integer(
    'maximum concurrent requests of one sales channel that wait for their task to end',
    { default: '500', min: 1, max: 100_000 },
  ),
  BEHIND_PROXY: env.oneOf(
    'whether clients connect through a proxy, which TRUSTED_PROXIES must then name',
    ['no', 'yes'],
    { default: 'no' },
  ),
  TRUSTED_PROXIES: env.list(
    'addresses and subnets of proxies whose X-Forwarded-For header is trusted, or "loopback", separated by commas',
    { default: '' },
  ),
  CORS_ORIGINS: env.list('web origins whose pages may call the API, separated by commas', { default: '' }),
  PORTAL_URL: env.optional(
    env.url('URL of the account portal, for links in invitations; invitations have no link when unset'),
  ),
  DOCS_FOLDER: env.text('folder of the built documentation; if it does not exist, /docs shows the contract', {
    default: resolve(import.meta.dirname, '../../docs/dist'),
  }),
  DOCS_CLIENT_ID: env.optional(
    env.text('public client for the sign-in at /docs/api; the sign-in is off when this and the next two are unset'),
  ),
  DOCS_AUTHORIZATION_URL: env.optional(env.url('authorization endpoint of the identity provider')),
  DOCS_EXCHANGE_URL: env.optional(
    env.url('token endpoint of the identity provider, which must allow the origin of the gateway'),
  ),
  DOCS_SCOPES: env.list('scopes that the sign-in at /docs/api requests, separated by commas', { default: 'openid' }),
  PREVIOUS_GENERATION: env.oneOf(
    'whether the gateway serves paths without a version, for clients of the previous generation of the API',
    ['on', 'off'],
    { default: 'on' },
  ),
  PREVIOUS_GENERATION_SUNSET: env.parsed(
    'date in the Sunset header, on which the previous generation of the API will be switched off',
    dateTime.transform((text) => new Date(text)),
    { default: '2027-12-31T00:00:00Z' },
  ),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 omits the header', {
    default: '31536000',
  }),
};
