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
import { dateTime } from '@saleschannel/validation';

/** Every variable the gateway reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...httpEnvironment,
  ...securityContactEnvironment,
  ...identityEnvironment,
  ...brokerEnvironment,
  GATEWAY_HOST: env.text('address the HTTP server listens at', { default: '127.0.0.1' }),
  GATEWAY_PORT: env.port('port the HTTP server listens at; 0 takes a free one', { default: '8080' }),
  REGISTRY_PORT: env.optional(
    env.port('port of its own for the registry API, which then answers there alone; off when unset'),
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
  CHANNEL_RATE_LIMIT_PER_SECOND: env.integer(
    'requests per second that all users of a sales channel may send for long',
    {
      default: '1000',
      min: 1,
      max: 1_000_000,
    },
  ),
  CHANNEL_RATE_LIMIT_BURST: env.integer('requests that all users of a sales channel may send at once', {
    default: '2000',
    min: 1,
    max: 10_000_000,
  }),
  CHANNEL_READS_AT_ONCE: env.integer(
    'reads of one sales channel at one service that are carried out at once; further ones wait for their turn',
    { default: '4', min: 1, max: 1_000 },
  ),
  PUBLIC_RATE_LIMIT_PER_SECOND: env.integer('public requests per second that one address may send for long', {
    default: '20',
    min: 1,
    max: 1_000_000,
  }),
  PUBLIC_RATE_LIMIT_BURST: env.integer('public requests that one address may send at once', {
    default: '200',
    min: 1,
    max: 10_000_000,
  }),
  RATE_LIMIT_ANSWER_DELAY_MS: env.integer('how long the answer to a request above the limit is held back', {
    default: '500',
    min: 0,
    max: 10_000,
  }),
  FAILED_LOGINS_PER_MINUTE: env.integer('failed log-ins that one address may make per minute', {
    default: '300',
    min: 1,
    max: 1_000_000,
  }),
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: env.integer('failed log-ins with one key id per minute, from all addresses', {
    default: '60',
    min: 1,
    max: 1_000_000,
  }),
  BODY_BYTES_AT_MOST: env.integer('lowers the limits of request bodies in the contract, which are in bytes', {
    default: '262144',
    min: 1_024,
    max: 6_291_456,
  }),
  BODY_TIMEOUT_MS: env.integer('how long a request body may take to arrive; imports have no limit', {
    default: '30000',
    min: 100,
    max: 600_000,
  }),
  HEADER_BYTES_AT_MOST: env.integer('all headers of a request together, in bytes', {
    default: '16384',
    min: 4_096,
    max: 65_536,
  }),
  HEADERS_TIMEOUT_MS: env.integer('how long the headers of a request may take to arrive', {
    default: '20000',
    min: 100,
    max: 600_000,
  }),
  QUERY_CHARACTERS_AT_MOST: env.integer('characters of a query string', { default: '8192', min: 256, max: 16_384 }),
  JSON_DEPTH_AT_MOST: env.integer('levels of objects and arrays in a body', { default: '20', min: 4, max: 100 }),
  JSON_MEMBERS_AT_MOST: env.integer('members of one object in a body', { default: '200', min: 32, max: 10_000 }),
  JSON_VALUES_AT_MOST: env.integer('members and items of a body together', {
    default: '10000',
    min: 100,
    max: 1_000_000,
  }),
  JSON_NUMBER_CHARACTERS_AT_MOST: env.integer('characters of one number in a body', {
    default: '64',
    min: 20,
    max: 1_000,
  }),
  SELECTIONS_AT_MOST: env.integer('selections of one request', { default: '1000', min: 1, max: 1_000 }),
  MAX_CONNECTIONS: env.integer('connections open at once', { default: '10000', min: 1 }),
  CONNECTIONS_PER_ADDRESS: env.integer('connections that one address may have open; a named proxy has no limit', {
    default: '2000',
    min: 1,
  }),
  CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS: env.integer(
    'how many of these may never have shown good credentials; the oldest of them makes room',
    { default: '500', min: 1 },
  ),
  CONNECTION_AGE_SECONDS: env.integer(
    'the first answer after this time ends its connection, so that clients find gateways that are new',
    { default: '8', min: 1, max: 86_400 },
  ),
  STALLED_CONNECTION_MS: env.integer('after so long without a byte, a half-sent request or unread answer is given up', {
    default: '60000',
    min: 100,
    max: 600_000,
  }),
  ANSWER_BYTES_PER_MINUTE_AT_LEAST: env.integer(
    'a client that takes less of its answer in a minute is given up, however often it takes something',
    { default: '65536', min: 1, max: 16_777_216 },
  ),
  EVENT_STREAMS_AT_MOST: env.integer('streams of events open at once', { default: '1000', min: 1, max: 100_000 }),
  EVENT_STREAMS_PER_CHANNEL: env.integer('streams of events that the users of one sales channel may have open', {
    default: '200',
    min: 1,
    max: 100_000,
  }),
  EVENT_STREAMS_PER_USER: env.integer('streams of events that one user may have open', {
    default: '10',
    min: 1,
    max: 1_000,
  }),
  TASK_WAITS_AT_MOST: env.integer(
    'requests that may wait for their task to end (Prefer: wait) at once; further ones are answered without waiting',
    { default: '2000', min: 1, max: 100_000 },
  ),
  TASK_WAITS_PER_CHANNEL: env.integer('requests of one sales channel that may wait for their task at once', {
    default: '500',
    min: 1,
    max: 100_000,
  }),
  BEHIND_PROXY: env.oneOf('whether clients come through a proxy, which TRUSTED_PROXIES must then name', ['no', 'yes'], {
    default: 'no',
  }),
  TRUSTED_PROXIES: env.list(
    'addresses and subnets of proxies whose X-Forwarded-For is believed; "loopback" is one too',
    { default: '' },
  ),
  CORS_ORIGINS: env.list('web origins whose pages may call the API', { default: '' }),
  PORTAL_URL: env.optional(
    env.url('where the account portal is, for the links of invitations; they have none when unset'),
  ),
  DOCS_FOLDER: env.text('folder of the built documentation; while there is none /docs shows the contract', {
    default: resolve(import.meta.dirname, '../../docs/dist'),
  }),
  DOCS_CLIENT_ID: env.optional(
    env.text('public client with which people sign in at /docs/api; nobody does when it and the next two are unset'),
  ),
  DOCS_AUTHORIZATION_URL: env.optional(env.url('where the identity provider signs people in')),
  DOCS_EXCHANGE_URL: env.optional(
    env.url('where it exchanges a code for tokens (token_endpoint); it allows the origin of the gateway'),
  ),
  DOCS_SCOPES: env.list('scopes that are asked for there', { default: 'openid' }),
  PREVIOUS_GENERATION: env.oneOf(
    'whether paths without a version are answered, for clients of the previous generation of the API',
    ['on', 'off'],
    { default: 'on' },
  ),
  PREVIOUS_GENERATION_SUNSET: env.parsed(
    'when they are going to be switched off, as clients are told in the header Sunset',
    dateTime.transform((text) => new Date(text)),
    { default: '2027-12-31T00:00:00Z' },
  ),
  HSTS_MAX_AGE_SECONDS: env.integer('max-age of Strict-Transport-Security; 0 leaves the header out', {
    default: '31536000',
  }),
};
