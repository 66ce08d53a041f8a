import type { App, Logger, Values } from '@saleschannel/runtime';
import type { Authenticator } from './authentication/authenticator.ts';
import type { ContractOperation } from './contract/document.ts';
import type { environment } from './environment.ts';
import { docsSignInOf } from './docs/sign-in.ts';
import { Admission } from './http/admission.ts';
import { ConnectionAges } from './http/connection-ages.ts';
import { Connections } from './http/connections.ts';
import { Pipeline } from './http/pipeline.ts';
import { reportUnnamedProxy } from './http/proxies.ts';
import { createRoutes, type Generation } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { SlowReaders } from './http/slow-readers.ts';
import { ChannelTurns } from './limits/channel-queues.ts';
import { FailedLogins } from './limits/failed-logins.ts';
import { HeldRefusals } from './limits/throttled-responses.ts';
import { RequestLimit } from './limits/request-limit.ts';
import type { SecurityLog } from '@saleschannel/edge';

export interface EdgeOptions {
  readonly values: Values<typeof environment>;
  readonly generations: readonly Generation[];
  readonly authenticator: Authenticator;
  readonly securityLog: SecurityLog;
  /** Whether an address is that of a named proxy. */
  readonly isProxy: (address: string) => boolean;
  onDraining(): void;
  onClosing(): void;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Answers are for one caller at one time, and are data, whatever a browser may take them for. */
const commonHeadersOf = ({
  HSTS_MAX_AGE_SECONDS: hstsMaxAgeSeconds,
  SANDBOX: isSandbox,
}: EdgeOptions['values']): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(hstsMaxAgeSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsMaxAgeSeconds}` } : {}),
  // Nobody shall take what this installation says for something real.
  ...(isSandbox ? { Sandbox: 'true' } : {}),
});

const isOfRegistry = ({ principal }: ContractOperation): boolean => principal === 'registry';

/** The HTTP servers: one for everything, or one of its own for the registry API. Limits count over both. */
export function createEdge(options: EdgeOptions): { readonly main: App; readonly registry: App | undefined } {
  const { values, securityLog, isProxy } = options;
  const commonHeaders = commonHeadersOf(values);
  const connections = new Connections({
    perAddress: values.CONNECTIONS_PER_ADDRESS,
    strangersPerAddress: values.CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS,
    isProxy,
    securityLog,
  });
  const slowReaders = new SlowReaders({ bytesPerMinute: values.ANSWER_BYTES_PER_MINUTE_AT_LEAST, now: options.now });
  const pipeline = createPipeline(options, connections, commonHeaders);
  const serverAt = (portVariable: 'GATEWAY_PORT' | 'REGISTRY_PORT', port: number, scope: Scope): App =>
    createHttpServer({
      host: values.GATEWAY_HOST,
      port,
      portVariable,
      maxConnections: values.MAX_CONNECTIONS,
      headerBytesAtMost: values.HEADER_BYTES_AT_MOST,
      headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
      stalledTimeoutMs: values.STALLED_CONNECTION_MS,
      ages: new ConnectionAges({ ageMs: values.CONNECTION_AGE_SECONDS * 1_000, now: options.now }),
      connections,
      slowReaders,
      securityLog,
      commonHeaders,
      onRequest: routesOf(options, pipeline, commonHeaders, scope),
      drainSeconds: values.DRAIN_SECONDS,
      onDraining: options.onDraining,
      onClosing: options.onClosing,
    });
  const { GATEWAY_PORT: port, REGISTRY_PORT: registryPort } = values;
  if (registryPort === undefined) return { main: serverAt('GATEWAY_PORT', port, 'all'), registry: undefined };
  return {
    main: serverAt('GATEWAY_PORT', port, 'sales-channel'),
    registry: serverAt('REGISTRY_PORT', registryPort, 'registry'),
  };
}

/** Which paths are at an address. */
type Scope = 'all' | 'sales-channel' | 'registry';

const jsonLimitsOf = (values: EdgeOptions['values']) => ({
  depth: values.JSON_DEPTH_AT_MOST,
  members: values.JSON_MEMBERS_AT_MOST,
  values: values.JSON_VALUES_AT_MOST,
  numberCharacters: values.JSON_NUMBER_CHARACTERS_AT_MOST,
});

function createPipeline(
  { values, authenticator, securityLog, now, logger }: EdgeOptions,
  connections: Connections,
  commonHeaders: Readonly<Record<string, string>>,
): Pipeline {
  const { RATE_LIMIT_PER_SECOND: ratePerSecond, RATE_LIMIT_BURST: burst } = values;
  const userLimit = new RequestLimit({ of: 'user', ratePerSecond, burst, now });
  const addressLimit = new RequestLimit({
    of: 'address',
    ratePerSecond: values.PUBLIC_RATE_LIMIT_PER_SECOND,
    burst: values.PUBLIC_RATE_LIMIT_BURST,
    now,
  });
  const channelLimit = new RequestLimit({
    of: 'channel',
    ratePerSecond: values.CHANNEL_RATE_LIMIT_PER_SECOND,
    burst: values.CHANNEL_RATE_LIMIT_BURST,
    now,
  });
  const heldRefusals = new HeldRefusals({ delayMs: values.RATE_LIMIT_ANSWER_DELAY_MS });
  const failedLogins = new FailedLogins({
    perMinute: values.FAILED_LOGINS_PER_MINUTE,
    perKeyIdPerMinute: values.FAILED_LOGINS_PER_KEY_ID_PER_MINUTE,
    now,
  });
  const origins = new Set(values.CORS_ORIGINS);
  return new Pipeline({
    admission: new Admission({
      authenticator,
      userLimit,
      channelLimit,
      addressLimit,
      heldRefusals,
      failedLogins,
      connections,
      origins,
    }),
    turns: new ChannelTurns({ readsAtOnce: values.CHANNEL_READS_AT_ONCE, now }),
    bodyLimits: {
      bytes: values.BODY_BYTES_AT_MOST,
      timeoutMs: values.BODY_TIMEOUT_MS,
      json: jsonLimitsOf(values),
    },
    securityLog,
    now,
    commonHeaders,
    logger,
  });
}

const routesOf = (
  { values, generations, securityLog, isProxy }: EdgeOptions,
  pipeline: Pipeline,
  commonHeaders: Readonly<Record<string, string>>,
  scope: Scope,
) =>
  createRoutes({
    generations,
    pipeline,
    formLimits: { queryCharacters: values.QUERY_CHARACTERS_AT_MOST, json: jsonLimitsOf(values) },
    commonHeaders,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    onRequest: (request) => reportUnnamedProxy(request, isProxy, securityLog),
    isServed: (operation) => scope === 'all' || isOfRegistry(operation) === (scope === 'registry'),
    hasPages: scope !== 'registry',
    docs: {
      folder: values.DOCS_FOLDER,
      signIn: docsSignInOf(values),
      securityContact: values.SECURITY_CONTACT,
    },
  });
