import type { App, Logger, Values } from '@saleschannel/runtime';
import type { SecurityLog } from '@saleschannel/edge';
import type { Authenticator } from './authentication/authenticator.ts';
import type { ContractOperation } from './contract/document.ts';
import type { environment } from './environment.ts';
import type { DocsSignIn } from './docs/contract-page.ts';
import { Admission } from './http/admission.ts';
import { ConnectionAges, Connections, SlowReaders, reportUnnamedProxy } from './http/connections.ts';
import { Pipeline } from './http/pipeline.ts';
import { createRoutes, type Generation } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { ChannelQueues } from './limits/channel-queues.ts';
import { FailedLogins } from './limits/failed-logins.ts';
import { ThrottledResponses, RequestLimit } from './limits/rate-limit.ts';

export interface EdgeOptions {
  readonly values: Values<typeof environment>;
  readonly generations: readonly Generation[];
  readonly authenticator: Authenticator;
  readonly securityLog: SecurityLog;
  readonly docsSignIn: DocsSignIn | undefined;
  /** Returns whether an address belongs to a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
  onDraining(): void;
  onClosing(): void;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Headers of all responses: each is for one caller and not cached, and browsers must not guess its type. */
const toCommonHeaders = ({
  HSTS_MAX_AGE_SECONDS: hstsMaxAgeSeconds,
  SANDBOX: isSandbox,
}: EdgeOptions['values']): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(hstsMaxAgeSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsMaxAgeSeconds}` } : {}),
  // Marks all data as test data.
  ...(isSandbox ? { Sandbox: 'true' } : {}),
});

const isRegistryOperation = ({ principal }: ContractOperation): boolean => principal === 'registry';

/** Creates one HTTP server, or a second one for the registry API. Both share rate limits and limits per address. */
export function createEdge(options: EdgeOptions): { readonly main: App; readonly registry: App | undefined } {
  const { values, securityLog, isProxy } = options;
  const commonHeaders = toCommonHeaders(values);
  const connections = new Connections({
    perAddress: values.CONNECTIONS_PER_ADDRESS,
    unauthenticatedPerAddress: values.CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS,
    isProxy,
    securityLog,
  });
  const slowReaders = new SlowReaders({ bytesPerMinute: values.ANSWER_BYTES_PER_MINUTE_AT_LEAST, now: options.now });
  const pipeline = createPipeline(options, connections, commonHeaders);
  const createServer = (portVariable: 'GATEWAY_PORT' | 'REGISTRY_PORT', port: number, scope: Scope): App =>
    createHttpServer({
      host: values.GATEWAY_HOST,
      port,
      portVariable,
      maxConnections: values.MAX_CONNECTIONS,
      maxHeaderBytes: values.HEADER_BYTES_AT_MOST,
      headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
      stalledTimeoutMs: values.STALLED_CONNECTION_MS,
      ages: new ConnectionAges({ ageMs: values.CONNECTION_AGE_SECONDS * 1_000, now: options.now }),
      connections,
      slowReaders,
      securityLog,
      commonHeaders,
      onRequest: createEdgeRoutes(options, pipeline, commonHeaders, scope),
      drainSeconds: values.DRAIN_SECONDS,
      onDraining: options.onDraining,
      onClosing: options.onClosing,
    });
  const { GATEWAY_PORT: port, REGISTRY_PORT: registryPort } = values;
  if (registryPort === undefined) return { main: createServer('GATEWAY_PORT', port, 'all'), registry: undefined };
  return {
    main: createServer('GATEWAY_PORT', port, 'sales-channel'),
    registry: createServer('REGISTRY_PORT', registryPort, 'registry'),
  };
}

type Scope = 'all' | 'sales-channel' | 'registry';

const toJsonLimits = (values: EdgeOptions['values']) => ({
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
  const throttled = new ThrottledResponses({ delayMs: values.RATE_LIMIT_ANSWER_DELAY_MS });
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
      throttledResponses: throttled,
      failedLogins,
      connections,
      origins,
    }),
    queues: new ChannelQueues({ readsAtOnce: values.CHANNEL_READS_AT_ONCE, now }),
    bodyLimits: {
      maxBytes: values.BODY_BYTES_AT_MOST,
      timeoutMs: values.BODY_TIMEOUT_MS,
      json: toJsonLimits(values),
    },
    securityLog,
    now,
    commonHeaders,
    logger,
  });
}

const createEdgeRoutes = (
  { values, generations, securityLog, docsSignIn, isProxy }: EdgeOptions,
  pipeline: Pipeline,
  commonHeaders: Readonly<Record<string, string>>,
  scope: Scope,
) =>
  createRoutes({
    generations,
    pipeline,
    formLimits: { queryCharacters: values.QUERY_CHARACTERS_AT_MOST, json: toJsonLimits(values) },
    commonHeaders,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    onRequest: (request) => reportUnnamedProxy(request, isProxy, securityLog),
    isServed: (operation) => scope === 'all' || isRegistryOperation(operation) === (scope === 'registry'),
    servesPages: scope !== 'registry',
    docs: {
      folder: values.DOCS_FOLDER,
      signIn: docsSignIn,
      securityContact: values.SECURITY_CONTACT,
    },
  });
