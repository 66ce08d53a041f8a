import { randomBytes } from 'node:crypto';
import { runCommandLine, type Reconciliation } from '@saleschannel/admin';
import { databaseNames, type DatabaseName, type DatabaseUrls } from '@saleschannel/auditor';
import type { Role } from '@saleschannel/auth';
import { createDevIdp, type DevIdp } from '@saleschannel/dev-idp/app';
import type { Administration, OperatorClients } from '@saleschannel/edge/administration';
import {
  ADMIN,
  AUDIENCE,
  completeSecrets,
  variablesOf,
  type LocalInstallation,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import {
  addDemo,
  connectAdministration,
  createDemo,
  ensurePeople,
  fetchToken,
  connectPowers,
  connectReconciliation,
  type Authorization,
  type Demo,
  type DemoChannel,
  type DemoTarget,
  type DemoUser,
} from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
import type { App } from '@saleschannel/runtime';
import { toAuditorUrl, testBrokerUrl } from '@saleschannel/testing';
import { createClient, type Client } from './client.ts';
import {
  createDatabases,
  waitUntilDrained,
  readSql,
  createTestLogger,
  HOST,
  resolveVariables,
  services,
  startGateways,
  startPortals,
  startSandbox,
  type CleanupStack,
} from './services.ts';
import { createPlace } from './installation.ts';

/** Credentials of a client: an authorization, a user's API key, or none. */
export type Actor = Authorization | DemoUser | 'nobody';

export interface System {
  readonly demo: Demo;
  readonly baseUrl: string;
  /** Issuer of the identity provider. */
  readonly issuer: string;
  /** URLs of all gateway replicas. The first is `baseUrl`. */
  readonly baseUrls: readonly string[];
  /** URL of the portal. Undefined without a portal. */
  readonly portalUrl: string | undefined;
  /** URLs of all portal replicas. The first is `portalUrl`. */
  readonly portalUrls: readonly string[];
  /** Addresses and secrets of all programs. */
  readonly place: LocalInstallation;
  /** Certificate authority of all programs. */
  readonly tlsAuthority: Secrets['tls']['authority'];
  readonly administration: Administration;
  /** Comparison of the ledger with the consumers of its changes. */
  readonly reconciliation: Reconciliation;
  /** Prefix of the names of exchanges and queues. */
  readonly namespace: string;
  /** Runs a command of `admin`. Resolves with its output. @throws Error with its error output */
  runAdmin(...words: string[]): Promise<string>;
  /** Actions of an operator. The caller closes it. */
  openOperatorClients(): Promise<OperatorClients>;
  /** The two channels of the demonstration. */
  readonly channels: Demo['channels'];
  /** Returns the same system with a new demonstration. */
  withNewDemo(): Promise<System>;
  /** @param baseUrl another gateway replica than the first */
  createClient(actor: Actor, baseUrl?: string): Client;
  /** Access token of the identity provider. */
  fetchAccessToken(user: Pick<DemoUser, 'clientId' | 'clientSecret'>): Promise<string>;
  /** A client with an access token of the user. */
  createBearerClient(user: DemoUser): Promise<Client>;
  /** The registry import API, with the demonstration's key. */
  readonly registry: Client;
  /** Creates a user with an API key and an account at the identity provider, bound to the channel if there is one. */
  newUser(channel: DemoChannel | undefined, roles: readonly Role[]): Promise<DemoUser>;
  /** Databases, with the role that reads them all. */
  readonly auditUrls: DatabaseUrls;
  readonly brokerUrl: string;
  /** Reads from a service's database. */
  querySql<Row extends object>(service: DatabaseName, text: string, params?: unknown[]): Promise<Row[]>;
  findDatabaseUrl(service: DatabaseName): string;
  /** Stops a service, as if all its replicas had crashed. */
  stopService(service: DatabaseName): Promise<void>;
  /** Starts it again at the same address. */
  startService(service: DatabaseName): Promise<void>;
  /**
   * Starts another replica without callers, which does only background work. With the port of a stopped service it
   * takes that service's place.
   */
  startReplica(service: DatabaseName, variables: Record<string, string>): Promise<App>;
  /** Resolves when every accepted task is decided, every message delivered and every event in the log. */
  waitUntilDrained(): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Further variables for all services. */
  variables?: Record<string, string>;
  /** Keeps the databases after the services have stopped. The caller drops them. */
  keepDatabases?: boolean;
  /** Another broker than the shared one. */
  brokerUrl?: string;
  /** Services use TLS between each other, over sockets. */
  tls?: boolean;
  /** Services call each other over sockets instead of inside the process. */
  sockets?: boolean;
  /** Number of gateway replicas. */
  gateways?: number;
  /** Starts the portal with its built pages and the people of the demonstration. */
  portal?: { readonly now?: () => number; readonly replicas?: number };
  /** Clock of the gateways' sessions and rate limits, in milliseconds. */
  now?: () => number;
}

/**
 * Starts the whole system in this process: every service with its own database, real PostgreSQL, RabbitMQ and identity
 * provider, filled with the demonstration's data.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const stops: CleanupStack = [];
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

async function start(options: SystemOptions, stops: CleanupStack, stop: () => Promise<void>): Promise<System> {
  const { variables = {}, brokerUrl = testBrokerUrl(), keepDatabases = false, tls = false, sockets = tls } = options;
  const idp = createDevIdp({ port: 0, audience: AUDIENCE });
  const [databases] = await Promise.all([createDatabases(keepDatabases ? [] : stops), idp.start()]);
  stops.push(() => idp.stop());
  const secrets = await completeSecrets({});
  const { issuer } = idp;
  const place = await createPlace({ databases, brokerUrl, issuer, secrets, tls, variables }, stops);
  const apps = new Map<ServiceName, App>();
  const inside = sockets ? undefined : place.namespace;
  const run = async (name: DatabaseName): Promise<void> => {
    const app = await services[name].start(resolveVariables(name, place, inside), createTestLogger(name));
    if (!apps.has(name)) stops.push(async () => apps.get(name)?.stop());
    apps.set(name, app);
  };
  await Promise.all(databaseNames.map(run));
  const baseUrls = await startGateways(place, inside, options, stops);
  const [baseUrl = ''] = baseUrls;
  if (place.settings['SANDBOX'] === 'true') await startSandbox({ ...place, baseUrl }, inside, stops);
  const administration = await connectAdministration({ place });
  stops.push(() => Promise.resolve(administration.close()));
  const reconciliation = await connectReconciliation({ place });
  stops.push(() => Promise.resolve(reconciliation.close()));
  const setClients = (clients: Parameters<typeof idp.addClient>[0][]): void =>
    clients.forEach((client) => idp.addClient(client));
  const target: DemoTarget = { baseUrl, issuer, audience: AUDIENCE, administration, setClients };
  const demo = await createDemo(target);
  const portalUrls = options.portal ? await startPortals({ ...place, baseUrls }, idp, options.portal, stops) : [];
  const [portalUrl] = portalUrls;
  if (portalUrl !== undefined) await ensurePeople({ administration, issuer }, demo);
  const as: System['createClient'] = (actor, at = baseUrl) => createClient(at, toAuthorization(actor));
  const asRegistry = ({ registryKey }: Demo): Client => as({ username: registryKey.id, password: registryKey.secret });
  const accessTokenOf: System['fetchAccessToken'] = ({ clientId, clientSecret }) =>
    fetchToken(demo.tokenEndpoint, clientId, clientSecret);
  const sql: System['querySql'] = (service, text, params) => readSql(databases[service].url, text, params);
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
    runAdmin: (...words) => runCommand(words, variablesOf(ADMIN, place)),
    openOperatorClients: () => connectPowers({ place }),
    channels: demo.channels,
    createClient: as,
    fetchAccessToken: accessTokenOf,
    issuer,
    createBearerClient: async (user) => as({ bearer: await accessTokenOf(user) }),
    registry: asRegistry(demo),
    newUser: (channel, roles) => createUser({ idp, administration }, channel, roles),
    querySql: sql,
    findDatabaseUrl: (service) => databases[service].url,
    stopService: async (name) => apps.get(name)?.stop(),
    startService: run,
    startReplica: async (name, changed) => {
      const elsewhere = changed['GRPC_PORT'] === undefined && {
        GRPC_HOST: HOST,
        GRPC_PORT: String(await findFreePort()),
      };
      return services[name].start(
        { ...resolveVariables(name, place, inside), ...elsewhere, ...changed },
        createTestLogger(name),
      );
    },
    auditUrls: Object.fromEntries(
      databaseNames.map((name) => [name, toAuditorUrl(databases[name].url)]),
    ) as DatabaseUrls,
    brokerUrl,
    waitUntilDrained: () => waitUntilDrained(sql),
    stop,
  };
  return system;
}

async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  let [output, errors] = ['', ''];
  const write = (text: string): void => void (output += text);
  const writeError = (text: string): void => void (errors += text);
  const exitCode = await runCommandLine(words, { environment, write, writeError });
  if (exitCode !== 0) throw new Error(`admin ${words.join(' ')} ended with ${exitCode}: ${errors}`);
  return output;
}

function toAuthorization(actor: Actor): Authorization | undefined {
  if (actor === 'nobody') return undefined;
  return 'apiKey' in actor ? { username: actor.apiKey.id, password: actor.apiKey.secret } : actor;
}

async function createUser(
  { idp, administration }: { readonly idp: DevIdp; readonly administration: Administration },
  channel: DemoChannel | undefined,
  roles: readonly Role[],
): Promise<DemoUser> {
  const clientId = `user-${randomBytes(6).toString('hex')}`;
  const clientSecret = randomBytes(24).toString('base64url');
  idp.addClient({ clientId, clientSecret, kind: 'script' });
  const subject = { issuer: idp.issuer, subject: clientId };
  if (channel) await administration.assignRoles({ ...subject, salesChannelId: channel.salesChannelId, roles });
  const { userId, id, secret } = await administration.issueApiKey(subject);
  return { userId, roles, clientId, clientSecret, apiKey: { id, secret } };
}
