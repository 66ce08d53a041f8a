import { createPowers } from '@saleschannel/edge/administration';
import { Sealer } from '@saleschannel/auth';
import {
  CookieJar,
  createWebServer,
  OidcClient,
  publicUrlOf,
  SessionRecords,
  Sessions,
} from '@saleschannel/edge/pages';
import { auditedServices, type AuditedService } from '@saleschannel/contracts';
import { SecurityLog } from '@saleschannel/edge';
import { createClient, createCredentials, type ServiceClient } from '@saleschannel/grpc';
import { AnswersInMemory } from '@saleschannel/idempotency/in-memory';
import { brokerUrl, QueueLevels } from '@saleschannel/messaging';
import { composeApp, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { DeadLetterDesk } from './dead-letter-desk.ts';
import { addressesOf, environment } from './environment.ts';
import { operationsOf } from './handlers/index.ts';
import { createRoutes } from './http/routes.ts';
import { Operators } from './operators.ts';
import { Watch } from './watch/watch.ts';

const NAME = 'console';

type ConsoleValues = Values<typeof environment>;

/** What tests set. */
export interface ServiceParts {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Where the security log goes, if not to the logger of the service. */
  readonly securityLogger?: Logger;
}

const monotonicMs = (): number => performance.now();

/** The console as a service, with a clock of its own for tests. */
export const createService = ({ now = Date.now, securityLogger }: ServiceParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const publicUrl = publicUrlOf('CONSOLE_URL', values.CONSOLE_URL);
    let isDraining = false;
    const closing = new AbortController();
    const { context, clients, records } = await contextOf(values, { now, logger, closing: closing.signal });
    const securityLog = new SecurityLog({ logger: securityLogger ?? logger, now: monotonicMs });
    const app = createRoutes({
      application: NAME,
      publicUrl,
      isSandbox: values.SANDBOX,
      hstsMaxAgeSeconds: values.HSTS_MAX_AGE_SECONDS,
      webFolder: values.CONSOLE_WEB_FOLDER,
      ...signInOf(values, { publicUrl, records, securityLog, now }),
      operators: new Operators(values.OIDC_ISSUER, values.CONSOLE_OPERATORS),
      operations: operationsOf(context),
      wantedSignIn: { maxAgeSeconds: values.RECENT_SIGN_IN_SECONDS, acrs: values.RECENT_SIGN_IN_ACR },
      securityLog,
      isDraining: () => isDraining,
      now,
      logger,
    });
    const server = createWebServer({
      host: values.CONSOLE_HOST,
      port: values.CONSOLE_PORT,
      portVariable: 'CONSOLE_PORT',
      app,
      securityLog,
      drainSeconds: values.DRAIN_SECONDS,
      onDraining: () => (isDraining = true),
      onClosing: () => closing.abort(),
    });
    return composeApp([securityLog, context.watch], server, clients);
  },
});

export const service = createService();

interface SignInParts {
  readonly publicUrl: URL;
  readonly records: SessionRecords;
  readonly securityLog: SecurityLog;
  readonly now: () => number;
}

function signInOf(values: ConsoleValues, { publicUrl, records, securityLog, now }: SignInParts) {
  const cookies = new CookieJar({ application: NAME, isSecure: publicUrl.protocol === 'https:' });
  const sealer = new Sealer(values.CONSOLE_COOKIE_KEYS);
  const oidc = new OidcClient({
    issuer: values.OIDC_ISSUER,
    clientId: values.CONSOLE_OIDC_CLIENT_ID,
    clientSecret: values.CONSOLE_OIDC_CLIENT_SECRET,
    scope: values.CONSOLE_OIDC_SCOPE,
    // Nobody is shown the access token: services know the console by its key.
    resource: undefined,
    internalUrl: values.CONSOLE_OIDC_INTERNAL_URL,
    callbackUrl: new URL('/callback', publicUrl).href,
    signedOutUrl: publicUrl.href,
    now,
  });
  const parts = { cookies, sealer, oidc };
  return { ...parts, sessions: new Sessions({ application: NAME, ...parts, records, securityLog, now }) };
}

interface Surroundings {
  readonly now: () => number;
  readonly logger: Logger;
  readonly closing: AbortSignal;
}

/** What the operations work with, and what is to be closed at the end. */
async function contextOf(
  values: ConsoleValues,
  { now, logger, closing }: Surroundings,
): Promise<{ context: Context; records: SessionRecords; clients: { close(): void }[] }> {
  const tokens = await createCredentials('admin', values, logger);
  const addresses = addressesOf(values);
  const broker = [brokerUrl(values), values.AMQP_NAMESPACE] as const;
  const powers = createPowers({ addresses: { ...addresses, registryImport: addresses['registry-import'] }, tokens });
  const audit = Object.fromEntries(
    auditedServices.map((name) => [
      name,
      createClient('auditLog', { address: addresses[name], tokens, receiver: name }),
    ]),
  ) as Record<AuditedService, ServiceClient<'auditLog'>>;
  const connection = { addresses, tokens };
  const watch = new Watch({ connection, levels: new QueueLevels(...broker), closing, now, logger });
  const answers = new AnswersInMemory();
  const use = {
    tasks: createClient('channelTasks', { address: addresses.tasks, tokens }),
    inventory: createClient('channelUse', { address: addresses.inventory, tokens }),
  };
  const context = { powers, audit, use, connection, deadLetters: new DeadLetterDesk(...broker), answers, watch };
  const sessions = createClient('sessions', { address: addresses.identity, tokens });
  const clients = [powers, sessions, ...Object.values(audit), ...Object.values(use)];
  return { context, records: new SessionRecords(sessions), clients };
}
