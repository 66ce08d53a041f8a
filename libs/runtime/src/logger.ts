import pino, { type DestinationStream, type Logger } from 'pino';
import { traceOf } from './tracing.ts';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Every name under which a secret travels: in code, in configuration, in HTTP and gRPC headers, in OAuth 2.0 and in
 * JWKs.
 */
export const secretNames = [
  'secret',
  'secretHash',
  'passphrase',
  'password',
  'apiSecret',
  'clientSecret',
  'client_secret',
  'pepper',
  'privateKey',
  'd',
  'token',
  'bearerToken',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'idToken',
  'id_token',
  'principalToken',
  'serviceToken',
  'principal-token',
  'service-token',
  'authorization',
  'Authorization',
  'cookie',
  'set-cookie',
  'SERVICE_PRIVATE_KEY',
  'DATABASE_URL',
  'AMQP_URL',
  'API_KEY_PEPPER',
  'ANSWER_KEYS',
] as const;

/** What is logged is flat: an error with its cause, or an object of ours. Nothing lies deeper than this. */
const LEVELS = 4;

const pathsOf = (name: string): string[] =>
  Array.from({ length: LEVELS }, (_, level) => `${'*.'.repeat(level).replace(/\.$/, '')}["${name}"]`);

/**
 * User and password in a URL, as errors of drivers may quote it. It begins with what a URL cannot be without: an
 * expression that begins with the scheme takes quadratic time for a long word.
 */
const URL_CREDENTIALS = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;
const withoutCredentials = (text: string): string => text.replace(URL_CREDENTIALS, '$1:[secret]@');

/** What can be written by itself: a text, a number, a list, an object of no class. */
const isPlain = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
};

/**
 * An error without what its library hung on it, such as the metadata of a gRPC call. Redaction copies what it looks
 * into, and such a thing cannot be written any more once it is copied: it would cost the line its whole error.
 */
const errorWithoutInstances = pino.stdSerializers.wrapErrorSerializer((error) =>
  Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value))),
);

/**
 * JSON lines on standard output, each with the trace that it belongs to. Whoever runs the process makes them readable.
 * Credentials never reach a log line.
 */
export const createLogger = (service: string, level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => traceOf(),
      serializers: { err: errorWithoutInstances },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap(pathsOf), censor: '[secret]' },
      hooks: { streamWrite: withoutCredentials },
    },
    destination ?? pino.destination(1),
  );

export const silentLogger: Logger = pino({ level: 'silent' });
