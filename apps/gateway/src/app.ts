import { createHealthProbe, createServiceIdentity } from '@saleschannel/grpc';
import { createServiceBroker, listenToBroadcasts } from '@saleschannel/messaging';
import { composeApp, type Logger, type Part, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import { Authenticator } from './authentication/authenticator.ts';
import { createClients } from './clients.ts';
import { loadContract } from './contract/document.ts';
import { environment } from './environment.ts';
import { handlers } from './handlers/index.ts';
import { Pipeline } from './http/pipeline.ts';
import { createReadiness } from './http/readiness.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { FailedLogins } from './limits/failed-logins.ts';
import { UserLimit } from './limits/user-limit.ts';

const NAME = 'gateway';

/** Answers are for one caller at one time, and are data, whatever a browser may take them for. */
const commonHeadersOf = (hstsMaxAgeSeconds: number): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...(hstsMaxAgeSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsMaxAgeSeconds}` } : {}),
});

/** Forgets what was remembered of users and keys as soon as it is said to have changed. */
function listenForChanges(values: Values<typeof environment>, authenticator: Authenticator, logger: Logger): Part {
  const broker = createServiceBroker(NAME, values, logger);
  listenToBroadcasts({
    broker,
    service: NAME,
    events: ['rbac.binding.changed.v1', 'identity.key.deleted.v1'],
    onEntry(entry) {
      if (entry.type === 'rbac.binding.changed.v1') authenticator.forgetUser(entry.event.userId);
      else authenticator.forgetKey(entry.event.keyId);
    },
    logger,
  });
  return broker;
}

const monotonicMs = (): number => performance.now();

/**
 * @param now tells how old a session is and what rate limits have paid back, in milliseconds that never go backwards;
 * tests set it
 */
export const createService = (now: () => number = monotonicMs): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values);
    const clients = createClients(values, identity);
    const { audit, ...others } = clients;
    const probes = [createHealthProbe(values.IDENTITY_ADDRESS), createHealthProbe(values.TASKS_ADDRESS)];
    const contract = loadContract();
    let stopping = false;
    const isStopping = (): boolean => stopping;
    const authenticator = new Authenticator({
      authenticate: (request, options) => clients.identity.Authenticate(request, options),
      verifier: identity.verifier,
      now,
    });
    const commonHeaders = commonHeadersOf(values.HSTS_MAX_AGE_SECONDS);
    const pipeline = new Pipeline({
      authenticator,
      userLimit: new UserLimit({ ratePerSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST, now }),
      failedLogins: new FailedLogins({ perMinute: values.FAILED_LOGINS_PER_MINUTE, now }),
      bodyBytesAtMost: values.BODY_BYTES_AT_MOST,
      commonHeaders,
      isStopping,
      logger,
    });
    const routes = createRoutes({
      contract,
      handlers: handlers(clients, { contract, isReady: createReadiness(probes), isStopping }),
      pipeline,
      commonHeaders,
      trustedProxies: values.TRUSTED_PROXIES,
      corsOrigins: values.CORS_ORIGINS,
    });
    const server = createHttpServer({
      host: values.GATEWAY_HOST,
      port: values.GATEWAY_PORT,
      maxConnections: values.MAX_CONNECTIONS,
      onRequest: routes,
      onStopping: () => (stopping = true),
    });
    return composeApp([listenForChanges(values, authenticator, logger)], server, [
      ...Object.values(others),
      ...Object.values(audit),
      ...probes,
    ]);
  },
});

export const service = createService();
