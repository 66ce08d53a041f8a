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

/** Number with its default and its range. */
const integer = (description: string, byDefault: number, [min, max]: readonly [min: number, max: number]) =>
  env.integer(description, { default: String(byDefault), min, max });

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
  RATE_LIMIT_PER_SECOND: integer('sustained requests per second that one user may send', 500, [1, 1_000_000]),
  RATE_LIMIT_BURST: integer('requests that one user may send in a burst', 1_000, [1, 10_000_000]),
  CHANNEL_RATE_LIMIT_PER_SECOND: integer(
    'sustained requests per second that all users of a sales channel may send',
    1_000,
    [1, 1_000_000],
  ),
  CHANNEL_RATE_LIMIT_BURST: integer(
    'requests that all users of a sales channel may send in a burst',
    2_000,
    [1, 10_000_000],
  ),
  CHANNEL_READS_AT_ONCE: integer(
    'maximum concurrent reads of one sales channel at one service; further reads wait in a queue',
    4,
    [1, 1_000],
  ),
  PUBLIC_RATE_LIMIT_PER_SECOND: integer(
    'sustained public requests per second that one address may send',
    20,
    [1, 1_000_000],
  ),
  PUBLIC_RATE_LIMIT_BURST: integer('public requests that one address may send in a burst', 200, [1, 10_000_000]),
  RATE_LIMIT_ANSWER_DELAY_MS: integer('delay of the response to a request above the limit', 500, [0, 10_000]),
  FAILED_LOGINS_PER_MINUTE: integer('failed log-ins per minute from one address', 300, [1, 1_000_000]),
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: integer(
    'failed log-ins per minute with one key id, from all addresses',
    60,
    [1, 1_000_000],
  ),
  BODY_BYTES_AT_MOST: integer(
    'upper bound, in bytes, for the limits of request bodies in the contract',
    262_144,
    [1_024, 6_291_456],
  ),
  BODY_TIMEOUT_MS: integer('time limit for receiving a request body; imports have no limit', 30_000, [100, 600_000]),
  HEADER_BYTES_AT_MOST: integer('maximum size of all headers of a request, in bytes', 16_384, [4_096, 65_536]),
  HEADERS_TIMEOUT_MS: integer('time limit for receiving the headers of a request', 20_000, [100, 600_000]),
  QUERY_CHARACTERS_AT_MOST: integer('maximum length of a query string, in characters', 8_192, [256, 16_384]),
  JSON_DEPTH_AT_MOST: integer('maximum depth of objects and arrays in a body', 20, [4, 100]),
  JSON_MEMBERS_AT_MOST: integer('maximum members of one object in a body', 200, [32, 10_000]),
  JSON_VALUES_AT_MOST: integer('maximum members and items in a body, counted together', 10_000, [100, 1_000_000]),
  JSON_NUMBER_CHARACTERS_AT_MOST: integer('maximum length of a number in a body, in characters', 64, [20, 1_000]),
  SELECTIONS_AT_MOST: integer('maximum selections in one request', 1_000, [1, 1_000]),
  MAX_CONNECTIONS: env.integer('maximum open connections', { default: '10000', min: 1 }),
  CONNECTIONS_PER_ADDRESS: env.integer('maximum open connections from one address; trusted proxies have no limit', {
    default: '2000',
    min: 1,
  }),
  CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS: env.integer(
    'maximum open connections from one address without valid credentials so far; a new one replaces the oldest',
    { default: '500', min: 1 },
  ),
  CONNECTION_AGE_SECONDS: integer(
    'age after which the next response closes its connection, so that clients find new gateways',
    8,
    [1, 86_400],
  ),
  STALLED_CONNECTION_MS: integer(
    'time without a byte after which the gateway drops a half-sent request or unread response',
    60_000,
    [100, 600_000],
  ),
  ANSWER_BYTES_PER_MINUTE_AT_LEAST: integer(
    'minimum bytes of its response that a client must read per minute, however often it reads, to stay connected',
    65_536,
    [1, 16_777_216],
  ),
  EVENT_STREAMS_AT_MOST: integer('maximum open event streams', 1_000, [1, 100_000]),
  EVENT_STREAMS_PER_CHANNEL: integer('maximum open event streams of the users of one sales channel', 200, [1, 100_000]),
  EVENT_STREAMS_PER_USER: integer('maximum open event streams of one user', 10, [1, 1_000]),
  TASK_WAITS_AT_MOST: integer(
    'maximum concurrent requests that wait for their task to end (Prefer: wait); further ones do not wait',
    2_000,
    [1, 100_000],
  ),
  TASK_WAITS_PER_CHANNEL: integer(
    'maximum concurrent requests of one sales channel that wait for their task to end',
    500,
    [1, 100_000],
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
