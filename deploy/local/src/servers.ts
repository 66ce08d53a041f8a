import { join } from 'node:path';
import {
  toBrokerUrl,
  brokerUsers,
  VHOST,
  type ProgramName,
  type Secrets,
  AUDITOR_ROLE,
  toAuditUrl,
  databaseRoles,
  toDatabaseUrl,
  toMigrationUrl,
  type DatabaseRole,
} from '@saleschannel/installation';
import {
  revokeDefaultConnect,
  ensureRabbitMqInstalled,
  startPostgres,
  startRabbitMq,
  ensureRole,
  assignDatabase,
} from '@saleschannel/local-backends';
import { Client, escapeIdentifier } from 'pg';
import { HOST } from './place.ts';
import type { Running } from './running.ts';

export interface DatabaseUrls {
  /** URLs by service. */
  readonly urls: Readonly<Record<string, string>>;
  /** URLs with the role that owns the tables, by service. */
  readonly owners: Readonly<Record<string, string>>;
  /** URL of the role that reads all databases. */
  readonly auditUrl: string;
}

/**
 * Creates missing roles and databases of services.
 * @param adminUrl URL of the server, with a user that has the rights CREATEROLE and CREATEDB
 * @param isHere true if the database of a service is on this server
 */
async function prepareDatabases(
  adminUrl: string,
  secrets: Secrets,
  isHere: (service: string) => boolean = () => true,
): Promise<DatabaseUrls> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect().catch((error: unknown) => {
    throw new Error(`The database server of DATABASE_URL cannot be reached: ${(error as Error).message}`);
  });
  try {
    await ensureRole(client, AUDITOR_ROLE, secrets.databaseAuditorPassword);
    const urls: Record<string, string> = {};
    const owners: Record<string, string> = {};
    const here = databaseRoles(secrets).filter(({ service }) => isHere(service));
    for (const databaseRole of here) await ensureDatabase(client, databaseRole);
    await Promise.all(
      here.map(({ role, owner }) => assignDatabase(adminUrl, role, { owner, runtime: role, auditor: AUDITOR_ROLE })),
    );
    for (const databaseRole of here) {
      urls[databaseRole.service] = toDatabaseUrl(databaseRole.service, secrets, adminUrl);
      owners[databaseRole.service] = toMigrationUrl(databaseRole.service, secrets, adminUrl);
    }
    return { urls, owners, auditUrl: toAuditUrl(secrets, adminUrl) };
  } finally {
    await client.end();
  }
}

async function ensureDatabase(client: Client, databaseRole: DatabaseRole): Promise<void> {
  const { role, password, owner, ownerPassword } = databaseRole;
  await ensureRole(client, owner, ownerPassword);
  await ensureRole(client, role, password);
  const databases = await client.query('select 1 from pg_database where datname = $1', [role]);
  if (!databases.rowCount) await client.query(`create database ${escapeIdentifier(role)}`);
}

/** Options of a stack's servers. */
export interface ServerOptions {
  /** Folder for data of private servers. */
  readonly folder: string;
  readonly secrets: Secrets;
  readonly running: Running;
  readonly log: (line: string) => void;
}

export interface DatabaseServer extends DatabaseUrls {
  readonly adminUrl: string;
  /** Undefined for an existing server. */
  readonly pid: number | undefined;
}

/** Existing servers, by service. */
export type ServerByService = Readonly<Record<string, string>>;

/** @param given an existing server, or one per service. Otherwise starts a private one */
export async function openDatabases(
  given: string | ServerByService | undefined,
  options: ServerOptions,
): Promise<DatabaseServer> {
  if (typeof given === 'object') return openEach(given, options);
  const { url: adminUrl, pid } =
    given === undefined ? await startPrivatePostgres(options) : { url: given, pid: undefined };
  // An existing server may have other users.
  if (given === undefined) await revokeDefaultConnect(adminUrl);
  return { adminUrl, ...(await prepareDatabases(adminUrl, options.secrets)), pid };
}

async function openEach(servers: ServerByService, { secrets }: ServerOptions): Promise<DatabaseServer> {
  const each = await Promise.all(
    [...new Set(Object.values(servers))].map((url) => prepareDatabases(url, secrets, (name) => servers[name] === url)),
  );
  const { inventory: adminUrl } = servers;
  const [first] = each;
  if (adminUrl === undefined || !first) throw new Error('The ledger has no database server.');
  return {
    adminUrl,
    urls: Object.assign({}, ...each.map(({ urls }) => urls)) as Record<string, string>,
    owners: Object.assign({}, ...each.map(({ owners }) => owners)) as Record<string, string>,
    // The auditor takes one address, which cannot lead to several servers.
    auditUrl: first.auditUrl,
    pid: undefined,
  };
}

function startPrivatePostgres({ folder, running, log }: ServerOptions): ReturnType<typeof startPostgres> {
  log('PostgreSQL: a private one');
  const dataDirectory = join(folder, 'postgres');
  return running.startWithRestarts('PostgreSQL', (port) =>
    startPostgres({ dataDirectory, log, ...(port === undefined ? {} : { port }) }),
  );
}

/** URL of the broker inside the process of all services, without RabbitMQ. */
export const IN_PROCESS_BROKER = 'in-process:local';

export interface BrokerServer {
  /** URL with the user of a program. */
  readonly urlOf: (program: ProgramName) => string;
  /** Resolves when the broker responds. The pid is undefined for an existing broker. */
  readonly started: Promise<{ readonly pid: number | undefined }>;
}

/**
 * Returns as soon as the address is known: a broker starts more slowly than services, which retry their connections.
 * @param givenUrl an existing broker. Its user is for all programs; without one, each program has the user of the
 * secrets. Without the URL, starts a private broker
 */
export async function openBroker(
  givenUrl: string | undefined,
  { folder, secrets, running, log }: ServerOptions,
): Promise<BrokerServer> {
  if (givenUrl === IN_PROCESS_BROKER)
    return { urlOf: () => IN_PROCESS_BROKER, started: Promise.resolve({ pid: undefined }) };
  if (givenUrl !== undefined) {
    const hasUser = new URL(givenUrl).username !== '';
    const urlOf = (program: ProgramName): string => (hasUser ? givenUrl : toBrokerUrl(program, secrets, givenUrl));
    return { urlOf, started: Promise.resolve({ pid: undefined }) };
  }
  await ensureRabbitMqInstalled(log);
  log('RabbitMQ: a private node');
  const options = { dataDirectory: join(folder, 'rabbitmq'), users: brokerUsers(secrets), vhost: VHOST, log };
  const chosen = Promise.withResolvers<number>();
  const started = running.startWithRestarts('RabbitMQ', (port) =>
    startRabbitMq({ ...options, onPort: chosen.resolve, ...(port === undefined ? {} : { port }) }),
  );
  // A node that fails to start may not have chosen its port.
  started.catch(chosen.reject);
  const server = `amqp://${HOST}:${await chosen.promise}`;
  return { urlOf: (program) => toBrokerUrl(program, secrets, server), started };
}
