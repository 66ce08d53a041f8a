import { createOperatorClients } from '@saleschannel/edge/administration';
import { createSite, parsePublicUrl, type SiteParts } from '@saleschannel/edge/pages';
import { auditedServices, type AuditedService } from '@saleschannel/contracts';
import { createClient, createCredentials, type ServiceClient } from '@saleschannel/grpc';
import { InMemoryAnswers } from '@saleschannel/idempotency/in-memory';
import { brokerUrl, QueueLevels } from '@saleschannel/messaging';
import { composeApp, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import type { Context, Operations } from './http/operation.ts';
import { DeadLetterAccess, deadLetters } from './handlers/dead-letters.ts';
import { toAddresses, environment } from './environment.ts';
import { createRoutes } from './http/routes.ts';
import { Operators } from './http/pipeline.ts';
import { Watch } from './watch/watch.ts';
import { audit } from './handlers/audit.ts';
import { channels } from './handlers/channels.ts';
import { holders } from './handlers/holders.ts';
import { imports } from './handlers/imports.ts';
import { keys, users } from './handlers/users.ts';
import { activity } from './handlers/activity.ts';

export const createOperations = (context: Context): Operations => ({
  ...activity(context),
  ...channels(context),
  ...holders(context),
  ...users(context),
  ...keys(context),
  ...imports(context),
  ...deadLetters(context),
  ...audit(context),
});

const NAME = 'console';

type ConsoleValues = Values<typeof environment>;

export const createService = ({ now = Date.now, securityLogger }: SiteParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const { connection, directory, clients, ...parts } = await connect(values, logger);
    const { site, serve } = createSite({
      application: NAME,
      publicUrl: parsePublicUrl('CONSOLE_URL', values.CONSOLE_URL),
      trustedProxies: [],
      isSandbox: values.SANDBOX,
      hstsMaxAgeSeconds: values.HSTS_MAX_AGE_SECONDS,
      cookieKeys: values.CONSOLE_COOKIE_KEYS,
      oidc: {
        issuer: values.OIDC_ISSUER,
        internalUrl: values.CONSOLE_OIDC_INTERNAL_URL,
        clientId: values.CONSOLE_OIDC_CLIENT_ID,
        clientSecret: values.CONSOLE_OIDC_CLIENT_SECRET,
        scope: values.CONSOLE_OIDC_SCOPE,
        // No service gets the access token: they identify the console by its key.
        resource: undefined,
      },
      directory,
      server: {
        host: values.CONSOLE_HOST,
        port: values.CONSOLE_PORT,
        portVariable: 'CONSOLE_PORT',
        drainSeconds: values.DRAIN_SECONDS,
      },
      now,
      securityLogger: securityLogger ?? logger,
      logger,
    });
    const broker = [brokerUrl(values), values.AMQP_NAMESPACE] as const;
    const watch = new Watch({ connection, levels: new QueueLevels(...broker), closing: site.closing, now, logger });
    const deadLetters = new DeadLetterAccess(...broker);
    const context = { ...parts, connection, deadLetters, answers: new InMemoryAnswers(), watch };
    const app = createRoutes({
      site,
      webFolder: values.CONSOLE_WEB_FOLDER,
      operators: new Operators(values.OIDC_ISSUER, values.CONSOLE_OPERATORS),
      operations: createOperations(context),
      requiredSignIn: { maxAgeSeconds: values.RECENT_SIGN_IN_SECONDS, acrs: values.RECENT_SIGN_IN_ACR },
    });
    return composeApp([site.securityLog, watch], serve(app), clients);
  },
});

export const service = createService();

async function connect(values: ConsoleValues, logger: Logger) {
  const tokens = await createCredentials('admin', values, logger);
  const addresses = toAddresses(values);
  const operatorClients = createOperatorClients({
    addresses: { ...addresses, registryImport: addresses['registry-import'] },
    tokens,
  });
  const audit = Object.fromEntries(
    auditedServices.map((name) => [
      name,
      createClient('auditLog', { address: addresses[name], tokens, receiver: name }),
    ]),
  ) as Record<AuditedService, ServiceClient<'auditLog'>>;
  const channelUse: Context['channelUse'] = {
    tasks: createClient('channelTasks', { address: addresses.tasks, tokens }),
    inventory: createClient('channelUse', { address: addresses.inventory, tokens }),
  };
  const directory = createClient('sessions', { address: addresses.identity, tokens });
  const clients = [operatorClients, directory, ...Object.values(audit), ...Object.values(channelUse)];
  return { operatorClients, audit, channelUse, connection: { addresses, tokens }, directory, clients };
}
