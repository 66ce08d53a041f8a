import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine, type Reconciliation } from '@saleschannel/admin';
import type { Administration, Powers } from '@saleschannel/edge/administration';
import type { Role } from '@saleschannel/auth';
import { databaseNames, type DatabaseName, type DatabaseUrls } from '@saleschannel/auditor';
import { createDevIdp, type DevIdp } from '@saleschannel/dev-idp/app';
import { service as events } from '@saleschannel/events/app';
import { createService as createGateway } from '@saleschannel/gateway/app';
import { service as identity } from '@saleschannel/identity/app';
import {
  ADMIN,
  addressVariable,
  AUDIENCE,
  calleesOf,
  completeSecrets,
  grpcServices,
  variablesOf,
  type Place,
  type ProgramName,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import { service as inventory } from '@saleschannel/inventory/app';
import {
  addDemo,
  docsSettings,
  administrationOf,
  buildPages,
  ensurePeople,
  powersOf,
  createDemo,
  fetchToken,
  reconciliationOf,
  writeTlsFiles,
  type Authorization,
  type Demo,
  type DemoChannel,
  type DemoTarget,
  type DemoUser,
} from '@saleschannel/local';
import { freePort } from '@saleschannel/local-backends';
import { createService as createPortal } from '@saleschannel/portal/app';
import { service as rbac } from '@saleschannel/rbac/app';
import { service as registryImport } from '@saleschannel/registry-import/app';
import {
  createLogger,
  logLevels,
  type App,
  type Environment,
  type Logger,
  type ServiceDefinition,
} from '@saleschannel/runtime';
import { service as sandbox } from '@saleschannel/sandbox/app';
import { service as tasks } from '@saleschannel/tasks/app';
import {
  auditorUrlOf,
  createServiceDatabase,
  ownerUrlOf,
  runtimeUrlOf,
  startService,
  testBrokerUrl,
  testNamespace,
  type TestDatabase,
} from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { service as webhooks } from '@saleschannel/webhooks/app';
import { z } from 'zod';
import { createClient, type Client } from './client.ts';
import { drained } from './drained.ts';
import { readSql } from './store/sql.ts';

const HOST = '127.0.0.1';
/** A test is not a user who must be held back. */
const PLENTY = '1000000';

const logLevel = z.enum(logLevels).catch('silent');
/** E2E_LOG=warn shows what the services say. */
const loggerOf = (service: ServiceName): Logger => createLogger(service, logLevel.parse(process.env['E2E_LOG']));

/** What a service is started with, in this process. */
interface Part {
  createDatabase(): Promise<TestDatabase>;
  start(variables: Record<string, string>, logger: Logger): Promise<App>;
}

const partOf = <E extends Environment>(definition: ServiceDefinition<E>): Part => ({
  createDatabase: () => createServiceDatabase(definition),
  start: (variables, logger) => startService(definition, variables, logger),
});

/** The services behind the gateway, each with its own database. */
const parts: Readonly<Record<DatabaseName, Part>> = {
  identity: partOf(identity),
  rbac: partOf(rbac),
  traders: partOf(traders),
  inventory: partOf(inventory),
  tasks: partOf(tasks),
  events: partOf(events),
  'registry-import': partOf(registryImport),
  webhooks: partOf(webhooks),
};

/** Whom a client acts as: credentials, the API key of a user, or nobody. */
export type Actor = Authorization | DemoUser | 'nobody';

export interface System {
  readonly demo: Demo;
  readonly baseUrl: string;
  /** The identity provider. */
  readonly issuer: string;
  /** Of every replica of the gateway. The first is `baseUrl`. */
  readonly baseUrls: readonly string[];
  /** Where people sign in. Undefined where no portal was asked for. */
  readonly portalUrl: string | undefined;
  /** Of every replica of the portal. The first is `portalUrl`. */
  readonly portalUrls: readonly string[];
  /** Where everything is, and the secrets of all programs. */
  readonly place: Place;
  /** It vouches for all programs. */
  readonly tlsAuthority: Secrets['tls']['authority'];
  readonly administration: Administration;
  /** The comparison of the ledger with those who apply its changes. */
  readonly reconciliation: Reconciliation;
  /** What the names of exchanges and queues begin with. */
  readonly namespace: string;
  /** Runs a command of `admin`. Resolves with what it wrote. @throws Error with what was wrong */
  command(...words: string[]): Promise<string>;
  /** What an operator may take away. Whoever asks for it closes it. */
  powers(): Promise<Powers>;
  /** The two channels of the demonstration. */
  readonly channels: Demo['channels'];
  /** The same system with a further demonstration in place of this one. */
  withNewDemo(): Promise<System>;
  /** @param baseUrl of another replica of the gateway than the first */
  as(actor: Actor, baseUrl?: string): Client;
  /** An access token of the identity provider. */
  accessTokenOf(user: Pick<DemoUser, 'clientId' | 'clientSecret'>): Promise<string>;
  /** A client with an access token of the user. */
  bearerOf(user: DemoUser): Promise<Client>;
  /** The registry import API, with the demonstration's key. */
  readonly registry: Client;
  /** A new user with an API key and an account at the identity provider. Undefined channel: bound to none. */
  newUser(channel: DemoChannel | undefined, roles: readonly Role[]): Promise<DemoUser>;
  /** The databases, with the role that reads them all. */
  readonly auditUrls: DatabaseUrls;
  readonly brokerUrl: string;
  /** An audit of a service's database. */
  sql<Row extends object>(service: DatabaseName, text: string, params?: unknown[]): Promise<Row[]>;
  databaseUrlOf(service: DatabaseName): string;
  /** Takes a service away, as a crash of all its replicas would. */
  stopService(service: DatabaseName): Promise<void>;
  /** Brings it back, where it was. */
  startService(service: DatabaseName): Promise<void>;
  /**
   * Another replica that nobody calls: it only does what services do by themselves. One with the port of a service that
   * was stopped takes its place.
   */
  startReplica(service: DatabaseName, variables: Record<string, string>): Promise<App>;
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
  /** Services talk to each other by TLS, over sockets. */
  tls?: boolean;
  /** Services call each other over sockets. Else they do so inside the process, and sockets are for others. */
  sockets?: boolean;
  /** Replicas of the gateway. */
  gateways?: number;
  /** With the portal, its built pages, and the people of the demonstration. */
  portal?: { readonly now?: () => number; readonly replicas?: number };
  /** Milliseconds of the gateways' sessions and rate limits. */
  now?: () => number;
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
  const { variables = {}, brokerUrl = testBrokerUrl(), keepDatabases = false, tls = false, sockets = tls } = options;
  const idp = createDevIdp({ port: 0, audience: AUDIENCE });
  const [databases] = await Promise.all([createDatabases(keepDatabases ? [] : stops), idp.start()]);
  stops.push(() => idp.stop());
  const secrets = await completeSecrets({});
  const place: Place = {
    ...(await placeOf(databases, brokerUrl, secrets)),
    tlsFileOf: tls ? tlsFilesOf(secrets, stops) : undefined,
    settings: { ...settingsFor(idp.issuer), ...variables },
  };
  const apps = new Map<ServiceName, App>();
  const inside = sockets ? undefined : place.namespace;
  const run = async (name: DatabaseName): Promise<void> => {
    const app = await parts[name].start(variablesIn(name, place, inside), loggerOf(name));
    if (!apps.has(name)) stops.push(async () => apps.get(name)?.stop());
    apps.set(name, app);
  };
  await Promise.all(databaseNames.map(run));
  const baseUrls = await startGateways(place, inside, options, stops);
  const [baseUrl = ''] = baseUrls;
  if (place.settings['SANDBOX'] === 'true') await startSandbox({ ...place, baseUrl }, inside, stops);
  const administration = await administrationOf({ place });
  stops.push(() => Promise.resolve(administration.close()));
  const reconciliation = await reconciliationOf({ place });
  stops.push(() => Promise.resolve(reconciliation.close()));
  const { issuer } = idp;
  const setClients = (clients: Parameters<typeof idp.addClient>[0][]): void =>
    clients.forEach((client) => idp.addClient(client));
  const target: DemoTarget = { baseUrl, issuer, audience: AUDIENCE, administration, setClients };
  const demo = await createDemo(target);
  const portalUrls = options.portal ? await startPortals({ ...place, baseUrls }, idp, options.portal, stops) : [];
  const [portalUrl] = portalUrls;
  if (portalUrl !== undefined) await ensurePeople({ administration, issuer }, demo);
  const as: System['as'] = (actor, at = baseUrl) => createClient(at, authorizationOf(actor));
  const asRegistry = ({ registryKey }: Demo): Client => as({ username: registryKey.id, password: registryKey.secret });
  const accessTokenOf: System['accessTokenOf'] = ({ clientId, clientSecret }) =>
    fetchToken(demo.tokenEndpoint, clientId, clientSecret);
  const sql: System['sql'] = (service, text, params) => readSql(databases[service].url, text, params);
  const system: System = {
    demo,
    async withNewDemo() {
      const added = await addDemo(target, demo, randomBytes(3).toString('hex'));
      return { ...system, demo: added, channels: added.channels, registry: asRegistry(added) };
    },
    baseUrl,
    baseUrls,
    portalUrl,
    portalUrls,
    place,
    tlsAuthority: secrets.tls.authority,
    administration,
    reconciliation,
    namespace: place.namespace,
    command: (...words) => runCommand(words, variablesOf(ADMIN, place)),
    powers: () => powersOf({ place }),
    channels: demo.channels,
    as,
    accessTokenOf,
    issuer,
    bearerOf: async (user) => as({ bearer: await accessTokenOf(user) }),
    registry: asRegistry(demo),
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
    startService: run,
    startReplica: async (name, changed) => {
      const elsewhere = changed['GRPC_PORT'] === undefined && { GRPC_HOST: HOST, GRPC_PORT: String(await freePort()) };
      return parts[name].start({ ...variablesIn(name, place, inside), ...elsewhere, ...changed }, loggerOf(name));
    },
    auditUrls: Object.fromEntries(
      databaseNames.map((name) => [name, auditorUrlOf(databases[name].url)]),
    ) as DatabaseUrls,
    brokerUrl,
    drained: () => drained(sql),
    stop,
  };
  return system;
}

const insideOf = (system: string, service: ServiceName): string => `in-process:${system}/${service}`;

/** The variables of a service. They call each other inside this process where the system has a name here. */
function variablesIn(name: ServiceName, place: Place, inside: string | undefined): Record<string, string> {
  const variables = variablesOf(name, place);
  if (inside === undefined) return variables;
  const addresses = calleesOf(name).map((callee) => [addressVariable(callee), insideOf(inside, callee)]);
  return { ...variables, GRPC_HOST: `${HOST},${insideOf(inside, name)}`, ...Object.fromEntries(addresses) };
}

async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  let [output, errors] = ['', ''];
  const write = (text: string): void => void (output += text);
  const writeError = (text: string): void => void (errors += text);
  const exitCode = await runCommandLine(words, { environment, write, writeError });
  if (exitCode !== 0) throw new Error(`admin ${words.join(' ')} ended with ${exitCode}: ${errors}`);
  return output;
}

/** Replicas of the gateway share nothing but the services behind them. */
async function startGateways(
  place: Place,
  inside: string | undefined,
  { gateways = 1, now }: SystemOptions,
  stops: Stops,
): Promise<readonly string[]> {
  const baseUrls: string[] = [];
  while (baseUrls.length < gateways) {
    const gateway = createGateway(now ? { now } : {});
    const app = await startService(gateway, variablesIn('gateway', place, inside), loggerOf('gateway'));
    stops.push(() => app.stop());
    baseUrls.push(`http://${app.address}`);
  }
  return baseUrls;
}

/** What triggers things, as a registry at the gateway. */
async function startSandbox(
  { baseUrl, ...place }: Place & { readonly baseUrl: string },
  inside: string | undefined,
  stops: Stops,
): Promise<void> {
  const own: Place = { ...place, ports: { ...place.ports, gateway: Number(new URL(baseUrl).port) } };
  const app = await startService(sandbox, variablesIn('sandbox', own, inside), loggerOf('sandbox'));
  stops.push(() => app.stop());
}

/** Replicas of the portal, each before a gateway, with the pages of this checkout: built where they have changed. */
async function startPortals(
  { baseUrls, ...place }: Place & { readonly baseUrls: readonly string[] },
  idp: DevIdp,
  { now, replicas = 1 }: NonNullable<SystemOptions['portal']>,
  stops: Stops,
): Promise<readonly string[]> {
  await buildPages(() => undefined);
  const ports: number[] = [];
  while (ports.length < replicas) ports.push(await freePort());
  const urls = ports.map((port) => `http://${HOST}:${port}`);
  const [url = ''] = urls;
  idp.addClient({
    clientId: 'portal',
    clientSecret: place.secrets.portalClientSecret,
    kind: 'web',
    redirectUris: [`${url}/callback`],
    signedOutUris: [`${url}/`],
    backChannelLogoutUri: `${url}/backchannel-logout`,
  });
  for (const [index, portal] of ports.entries()) {
    const gateway = Number(URL.parse(String(baseUrls[index % baseUrls.length]))?.port);
    const own: Place = {
      ...place,
      ports: { ...place.ports, gateway, portal },
      settings: { ...place.settings, PORTAL_URL: url },
    };
    const app = await startService(createPortal(now ? { now } : {}), variablesOf('portal', own), loggerOf('portal'));
    stops.push(() => app.stop());
  }
  return urls;
}

/** Certificates of all programs, in a folder of this system's own. */
function tlsFilesOf(secrets: Secrets, stops: Stops): Place['tlsFileOf'] {
  const folder = mkdtempSync(join(tmpdir(), 'system-'));
  stops.push(() => Promise.resolve(rmSync(folder, { recursive: true })));
  return writeTlsFiles({ folder, secrets });
}

const settingsFor = (issuer: string): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  ...docsSettings(issuer),
  RATE_LIMIT_PER_SECOND: PLENTY,
  RATE_LIMIT_BURST: PLENTY,
  CHANNEL_RATE_LIMIT_PER_SECOND: PLENTY,
  CHANNEL_RATE_LIMIT_BURST: PLENTY,
  FAILED_LOGINS_PER_MINUTE: PLENTY,
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: PLENTY,
  // Nothing balances between replicas here, and each test file waits for the end of its own.
  DRAIN_SECONDS: '0',
  // Their receivers are those of tests.
  WEBHOOK_PRIVATE_TARGETS: 'allowed',
});

/** Everything that the variables of the services are made of. */
async function placeOf(databases: Databases, brokerUrl: string, secrets: Secrets): Promise<Omit<Place, 'settings'>> {
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
    secrets,
    databaseUrlOf: (program) => runtimeUrlOf(urlOf(program)),
    migrationUrlOf: (program) => ownerUrlOf(urlOf(program)),
    auditUrl: 'postgres://unused/{service}',
    brokerUrlOf: () => brokerUrl,
  };
}

function authorizationOf(actor: Actor): Authorization | undefined {
  if (actor === 'nobody') return undefined;
  return 'apiKey' in actor ? { username: actor.apiKey.id, password: actor.apiKey.secret } : actor;
}

type Databases = Readonly<Record<DatabaseName, TestDatabase>>;

async function createDatabases(stops: Stops): Promise<Databases> {
  const made = await Promise.all(
    databaseNames.map(async (name) => [name, await parts[name].createDatabase()] as const),
  );
  stops.push(() => Promise.all(made.map(([, database]) => database.drop())));
  return Object.fromEntries(made) as Databases;
}
