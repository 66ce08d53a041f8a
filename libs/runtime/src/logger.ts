import pino, { type DestinationStream, type Logger } from 'pino';
import { readTraceIds } from './tracing.ts';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Names of all secrets: in code, configuration, HTTP and gRPC headers, OAuth 2.0 and JWKs. */
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

/** Depth of redaction. Logged objects and errors with their causes are flat. */
const DEPTH = 4;

const toRedactedPaths = (name: string): string[] =>
  Array.from({ length: DEPTH }, (_, level) => `${'*.'.repeat(level).replace(/\.$/, '')}["${name}"]`);

/**
 * User and password in a URL, which errors of drivers may quote. The expression starts with `://`: one that starts with
 * the scheme takes quadratic time for a long word.
 */
const URL_CREDENTIALS = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;
const withoutCredentials = (text: string): string => text.replace(URL_CREDENTIALS, '$1:[secret]@');

/** Returns false for instances of classes. */
const isPlain = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
};

/**
 * Drops instances that libraries attach to errors, such as the metadata of a gRPC call. Redaction copies objects, and a
 * copied instance cannot be serialized, so the log line would lose its whole error.
 */
const errorWithoutInstances = pino.stdSerializers.wrapErrorSerializer((error) =>
  Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value))),
);

/** Logs JSON lines to standard output, each with its trace. Credentials never reach a log line. */
export const createLogger = (service: string, level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => readTraceIds(),
      serializers: { err: errorWithoutInstances },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap(toRedactedPaths), censor: '[secret]' },
      hooks: { streamWrite: withoutCredentials },
    },
    destination ?? pino.destination(1),
  );

export const silentLogger: Logger = pino({ level: 'silent' });
