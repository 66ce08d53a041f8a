import { randomBytes } from 'node:crypto';
import { createReconciliation, type Administration, type Powers, type Reconciliation } from '@saleschannel/admin';
import { createServiceTokens, type Role } from '@saleschannel/auth';
import type { DatabaseUrls } from '@saleschannel/auditor';
import { createDevIdp } from '@saleschannel/dev-idp/app';
import { service as events } from '@saleschannel/events/app';
import { service as gateway } from '@saleschannel/gateway/app';
import { service as identity } from '@saleschannel/identity/app';
import {
  ADMIN,
  addressOf,
  AUDIENCE,
  completeSecrets,
  grpcServices,
  privateKeyOf,
  variablesOf,
  type Place,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';
import { service as inventory } from '@saleschannel/inventory/app';
import {
  administrationOf,
  powersOf,
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
import { createLogger, logLevels, type App, type Logger } from '@saleschannel/runtime';
import { service as tasks } from '@saleschannel/tasks/app';
import {
  auditorUrlOf,
  createTestDatabase,
  eventually,
  ownerUrlOf,
  runtimeUrlOf,
  startService,
  testBrokerUrl,
  testNamespace,
  type TestDatabase,
} from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { z } from 'zod';
import { createClient, type Client } from './client.ts';
import { readSql } from './store/sql.ts';

const HOST = '127.0.0.1';
/** A test is not a user who must be held back. */
const PLENTY = '1000000';

const logLevel = z.enum(logLevels).catch('silent');
/** E2E_LOG=warn shows what the services say. */
const loggerOf = (service: ServiceName): Logger => createLogger(service, logLevel.parse(process.env['E2E_LOG']));

type Start = (variables: Record<string, string>, logger: Logger) => Promise<App>;

/** The services behind the gateway, each with its own database. */
const starts: Readonly<Record<DatabaseName, Start>> = {
  identity: (variables, logger) => startService(identity, variables, logger),
  rbac: (variables, logger) => startService(rbac, variables, logger),
  traders: (variables, logger) => startService(traders, variables, logger),
  inventory: (variables, logger) => startService(inventory, variables, logger),
  tasks: (variables, logger) => startService(tasks, variables, logger),
  events: (variables, logger) => startService(events, variables, logger),
  'registry-import': (variables, logger) => startService(registryImport, variables, logger),
};
const databaseNames = ['identity', 'rbac', 'traders', 'inventory', 'tasks', 'events', 'registry-import'] as const;
export type DatabaseName = (typeof databaseNames)[number];

/** Whom a client acts as: credentials, the API key of a user, or nobody. */
export type Actor = Authorization | DemoUser | 'nobody';

export interface System {
  readonly demo: Demo;
  readonly baseUrl: string;
  readonly administration: Administration;
  /** The comparison of the ledger with those who apply its changes. */
  readonly reconciliation: Reconciliation;
  /** What the names of exchanges and queues begin with. */
  readonly namespace: string;
  /** What an operator may take away. Whoever asks for it closes it. */
  powers(): Promise<Powers>;
  /** The two channels of the demonstration. */
  readonly channels: Demo['channels'];
  as(actor: Actor): Client;
  /** A client with an access token of the user. */
  bearerOf(user: DemoUser): Promise<Client>;
  /** The registry import API, with the demonstration's key. */
  readonly registry: Client;
  /** A new user with an API key and an account at the identity provider. Undefined channel: bound to none. */
  newUser(channel: DemoChannel | undefined, roles: readonly Role[]): Promise<DemoUser>;
  /** The databases, with the role that reads them all. */
  readonly auditUrls: DatabaseUrls;
  /** An audit of a service's database. */
  sql<Row extends object>(service: DatabaseName, text: string, params?: unknown[]): Promise<Row[]>;
  databaseUrlOf(service: DatabaseName): string;
  /** Takes a service away, as a crash of all its replicas would. */
  stopService(service: DatabaseName): Promise<void>;
  /** Brings it back, where it was. */
  startService(service: DatabaseName): Promise<void>;
  /** Resolves when every task that was accepted is decided, every message delivered and every event in the log. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Further variables, for all services. */
  variables?: Record<string, string>;
  /** Whoever says so drops the databases, after the services have stopped. */
  keepDatabases?: boolean;
  /** Another broker than the one of all tests. */
  brokerUrl?: string;
}

type Stops = (() => Promise<unknown>)[];

/**
 * The whole system in this process: every service with its own database, real PostgreSQL, RabbitMQ and identity
 * provider, filled with the demonstration's data.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const stops: Stops = [];
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

async function start(options: SystemOptions, stops: Stops, stop: () => Promise<void>): Promise<System> {
  const { variables = {}, brokerUrl = testBrokerUrl(), keepDatabases = false } = options;
  const idp = createDevIdp({ port: 0, audience: AUDIENCE });
  const [databases] = await Promise.all([createDatabases(keepDatabases ? [] : stops), idp.start()]);
  stops.push(() => idp.stop());
  const place = await placeOf(databases, brokerUrl, { ...settingsFor(idp.issuer), ...variables });
  const apps = new Map<ServiceName, App>();
  const run = async (name: ServiceName, startIt: Start): Promise<App> => {
    const app = await startIt(variablesOf(name, place), loggerOf(name));
    if (!apps.has(name)) stops.push(async () => apps.get(name)?.stop());
    apps.set(name, app);
    return app;
  };
  await Promise.all(databaseNames.map((name) => run(name, starts[name])));
  const front = await run('gateway', (values, logger) => startService(gateway, values, logger));
  const baseUrl = `http://${front.address}`;
  const administration = await administrationOf({ place });
  stops.push(() => Promise.resolve(administration.close()));
  const reconciliation = createReconciliation({
    address: addressOf('inventory', place),
    tokens: await createServiceTokens(ADMIN, privateKeyOf(ADMIN, place.secrets)),
  });
  stops.push(() => Promise.resolve(reconciliation.close()));
  const { issuer } = idp;
  const setClients = (clients: Parameters<typeof idp.addClient>[0][]): void =>
    clients.forEach((client) => idp.addClient(client));
  const demo = await createDemo({ baseUrl, issuer, audience: AUDIENCE, administration, setClients });
  const as = (actor: Actor): Client => createClient(baseUrl, authorizationOf(actor));
  const sql: System['sql'] = (service, text, params) => readSql(databases[service].url, text, params);
  return {
    demo,
    baseUrl,
    administration,
    reconciliation,
    namespace: place.namespace,
    powers: () => powersOf({ place }),
    channels: demo.channels,
    as,
    bearerOf: async (user) => as({ bearer: await fetchToken(demo.tokenEndpoint, user.clientId, user.clientSecret) }),
    registry: as({ username: demo.registryKey.id, password: demo.registryKey.secret }),
    async newUser(channel, roles) {
      const clientId = `user-${randomBytes(6).toString('hex')}`;
      const clientSecret = randomBytes(24).toString('base64url');
      idp.addClient({ clientId, clientSecret, kind: 'script' });
      const subject = { issuer, subject: clientId };
      if (channel) await administration.assignRoles({ ...subject, salesChannelId: channel.salesChannelId, roles });
      const { userId, id, secret } = await administration.issueApiKey(subject);
      return { userId, roles, clientId, clientSecret, apiKey: { id, secret } };
    },
    sql,
    databaseUrlOf: (service) => databases[service].url,
    stopService: async (name) => apps.get(name)?.stop(),
    startService: async (name) => void (await run(name, starts[name])),
    auditUrls: Object.fromEntries(
      databaseNames.map((name) => [name, auditorUrlOf(databases[name].url)]),
    ) as DatabaseUrls,
    drained: () => drained(sql),
    stop,
  };
}

const settingsFor = (issuer: string): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  RATE_LIMIT_PER_SECOND: PLENTY,
  RATE_LIMIT_BURST: PLENTY,
  FAILED_LOGINS_PER_MINUTE: PLENTY,
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: PLENTY,
});

/** Everything that the variables of the services are made of. */
async function placeOf(databases: Databases, brokerUrl: string, settings: Record<string, string>): Promise<Place> {
  const ports: Partial<Record<ServiceName, number>> = { gateway: 0 };
  for (const service of grpcServices) ports[service] = await freePort();
  const urlOf = (program: ProgramName): string => {
    const name = databaseNames.find((each) => each === program);
    if (!name) throw new Error(`${program} has no database`);
    return databases[name].url;
  };
  return {
    host: HOST,
    ports,
    namespace: testNamespace(),
    secrets: await completeSecrets({}),
    databaseUrlOf: (program) => runtimeUrlOf(urlOf(program)),
    migrationUrlOf: (program) => ownerUrlOf(urlOf(program)),
    auditUrl: 'postgres://unused/{service}',
    brokerUrlOf: () => brokerUrl,
    settings,
  };
}

function authorizationOf(actor: Actor): Authorization | undefined {
  if (actor === 'nobody') return undefined;
  return 'apiKey' in actor ? { username: actor.apiKey.id, password: actor.apiKey.secret } : actor;
}

type Databases = Readonly<Record<DatabaseName, TestDatabase>>;

async function createDatabases(stops: Stops): Promise<Databases> {
  const made = await Promise.all(databaseNames.map(async (name) => [name, await createTestDatabase()] as const));
  stops.push(() => Promise.all(made.map(([, database]) => database.drop())));
  return Object.fromEntries(made) as Databases;
}

const undecided = `
  select (select count(*) from outbox)
    + (select count(*) from task where status = 'PENDING' and transaction_id is null) as left`;
const ended = `
  select count(*) filter (where status <> 'PENDING' and task_id is not null) as ended,
    (select count(*) from outbox) as left
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
