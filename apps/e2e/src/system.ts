import { randomBytes } from 'node:crypto';
import { createAdministration, type Administration } from '@saleschannel/admin';
import { createServiceTokens, parsePrivateKey, type Role } from '@saleschannel/auth';
import { createDevIdp } from '@saleschannel/dev-idp/app';
import { service as events } from '@saleschannel/events/app';
import { service as gateway } from '@saleschannel/gateway/app';
import { service as identity } from '@saleschannel/identity/app';
import { service as inventory } from '@saleschannel/inventory/app';
import {
  createDemo,
  fetchToken,
  type Authorization,
  type Demo,
  type DemoChannel,
  type DemoUser,
} from '@saleschannel/local';
import { freePort } from '@saleschannel/local-backends';
import { service as rbac } from '@saleschannel/rbac/app';
import { service as registryImport } from '@saleschannel/registry-import/app';
import {
  createLogger,
  readEnvironment,
  type App,
  type Environment,
  type Logger,
  type LogLevel,
  type ServiceDefinition,
} from '@saleschannel/runtime';
import { service as tasks } from '@saleschannel/tasks/app';
import {
  createTestDatabase,
  eventually,
  identityVariables,
  testBrokerUrl,
  testNamespace,
  type ServiceName,
  type TestDatabase,
} from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { createClient, type Client } from './client.ts';
import { readSql } from './store/sql.ts';

const HOST = '127.0.0.1';
const AUDIENCE = 'saleschannel-api';
/** A test is not a user who must be held back. */
const PLENTY = '1000000';

const definitions = [
  identity,
  rbac,
  traders,
  inventory,
  tasks,
  events,
  registryImport,
] as unknown as ServiceDefinition<Environment>[];
export type DatabaseName = 'identity' | 'rbac' | 'traders' | 'inventory' | 'tasks' | 'events' | 'registry-import';

const addressVariable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/** Whom a client acts as: credentials, the API key of a user, or nobody. */
export type Actor = Authorization | DemoUser | 'nobody';

export interface System {
  readonly demo: Demo;
  readonly baseUrl: string;
  readonly administration: Administration;
  /** The two channels of the demonstration. */
  readonly channels: readonly [DemoChannel, DemoChannel];
  as(actor: Actor): Client;
  /** A client with an access token of the user. */
  bearerOf(user: DemoUser): Promise<Client>;
  /** The registry import API, with the demonstration's key. */
  readonly registry: Client;
  /** A new user with an API key and an identity provider's account. Undefined channel: bound to none. */
  newUser(channel: DemoChannel | undefined, roles: readonly Role[]): Promise<DemoUser>;
  /** An audit of a service's database. */
  sql<Row extends object>(service: DatabaseName, text: string, params?: unknown[]): Promise<Row[]>;
  /** Resolves when every task that was accepted is decided, every message delivered and every event in the log. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Further variables, for all services. */
  variables?: Record<string, string>;
}

/**
 * The whole system in this process: every service with its own database, real PostgreSQL, RabbitMQ and identity provider, filled with the
 * demonstration's data.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return await start(options, stops, stop);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function start(
  { variables = {} }: SystemOptions,
  stops: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<System> {
  const idp = createDevIdp({ port: 0, audience: AUDIENCE });
  const [databases] = await Promise.all([createDatabases(stops), idp.start()]);
  stops.push(() => idp.stop());
  const common: Record<string, string> = {
    AMQP_URL: testBrokerUrl(),
    AMQP_NAMESPACE: testNamespace(),
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    OIDC_ISSUER: idp.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    GATEWAY_HOST: HOST,
    GATEWAY_PORT: '0',
    RATE_LIMIT_PER_SECOND: PLENTY,
    RATE_LIMIT_BURST: PLENTY,
    FAILED_LOGINS_PER_MINUTE: PLENTY,
    ...variables,
  };
  for (const { name } of definitions) common[addressVariable(name)] = `${HOST}:${await freePort()}`;
  await Promise.all(
    definitions.map((definition) => startService(definition, common, databases[definition.name]?.url ?? '', stops)),
  );
  const front = await startService(gateway as unknown as ServiceDefinition<Environment>, common, '', stops);
  const baseUrl = `http://${front.address}`;
  const administration = await administrationOf(common);
  stops.push(() => Promise.resolve(administration.close()));
  const demo = await createDemo({
    baseUrl,
    issuer: idp.issuer,
    audience: AUDIENCE,
    administration,
    setClients: (clients) => clients.forEach((client) => idp.addClient(client)),
  });
  const as = (actor: Actor): Client => createClient(baseUrl, authorizationOf(actor));
  const sql: System['sql'] = (service, text, params) => readSql(databases[service]?.url ?? '', text, params);
  return {
    demo,
    baseUrl,
    administration,
    channels: demo.channels as unknown as System['channels'],
    as,
    bearerOf: async (user) => as({ bearer: await fetchToken(demo.tokenEndpoint, user.clientId, user.clientSecret) }),
    registry: as({ username: demo.registryKey.apiKey, password: demo.registryKey.apiSecret }),
    async newUser(channel, roles) {
      const client = {
        clientId: `user-${randomBytes(6).toString('hex')}`,
        clientSecret: randomBytes(24).toString('base64url'),
        kind: 'script' as const,
      };
      idp.addClient(client);
      const subject = { issuer: idp.issuer, subject: client.clientId };
      if (channel) await administration.assignRoles({ ...subject, salesChannelId: channel.salesChannelId, roles });
      const key = await administration.issueApiKey(subject);
      return {
        userId: key.userId,
        roles: [...roles],
        clientId: client.clientId,
        clientSecret: client.clientSecret,
        apiKeyId: key.id,
        passphrase: key.secret,
      };
    },
    sql,
    drained: () => drained(sql),
    stop,
  };
}

function authorizationOf(actor: Actor): Authorization | undefined {
  if (actor === 'nobody') return undefined;
  return 'apiKeyId' in actor ? { username: actor.apiKeyId, password: actor.passphrase } : actor;
}

async function createDatabases(stops: (() => Promise<unknown>)[]): Promise<Record<string, TestDatabase>> {
  const entries = await Promise.all(definitions.map(async ({ name }) => [name, await createTestDatabase()] as const));
  stops.push(() => Promise.all(entries.map(([, database]) => database.drop())));
  return Object.fromEntries(entries);
}

async function startService(
  definition: ServiceDefinition<Environment>,
  common: Record<string, string>,
  databaseUrl: string,
  stops: (() => Promise<unknown>)[],
): Promise<App> {
  const port = common[addressVariable(definition.name)]?.split(':')[1];
  const values = readEnvironment(definition.environment, {
    ...common,
    ...identityVariables(definition.name as ServiceName),
    DATABASE_URL: databaseUrl,
    ...(port === undefined ? {} : { GRPC_PORT: port }),
  });
  const logger = loggerOf(definition.name);
  await definition.migrate?.(values as never, logger);
  const app = await definition.createApp(values as never, logger);
  await app.start();
  stops.push(() => app.stop());
  return app;
}

/** E2E_LOG=warn shows what the services say. */
const loggerOf = (service: string): Logger => createLogger(service, (process.env['E2E_LOG'] ?? 'silent') as LogLevel);

async function administrationOf(common: Record<string, string>): Promise<Administration> {
  const key = parsePrivateKey(JSON.parse(identityVariables('admin')['SERVICE_PRIVATE_KEY'] ?? '{}'));
  const addresses = {
    identity: common['IDENTITY_ADDRESS'] ?? '',
    rbac: common['RBAC_ADDRESS'] ?? '',
    registryImport: common['REGISTRY_IMPORT_ADDRESS'] ?? '',
  };
  return createAdministration({ addresses, tokens: await createServiceTokens('admin', key) });
}

const undecided = `
  select (select count(*) from outbox) + (select count(*) from task where status = 'PENDING' and transaction_id is null) as left`;
const ended = `
  select count(*) filter (where status <> 'PENDING' and task_id is not null) as ended, (select count(*) from outbox) as left
  from ledger_transaction`;

async function drained(sql: System['sql']): Promise<void> {
  await eventually(async () => {
    const [[task], [ledger], [log]] = await Promise.all([
      sql<{ left: string }>('tasks', undecided),
      sql<{ ended: string; left: string }>('inventory', ended),
      sql<{ events: string }>('events', 'select count(*) as events from event'),
    ]);
    return task?.left === '0' && ledger?.left === '0' && ledger.ended === log?.events;
  }, 'the end of all tasks');
}
