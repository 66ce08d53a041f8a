import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listPending, readMigrations } from '@saleschannel/database';
import {
  ALL_IN_ONE,
  AUDIENCE,
  completeSecrets,
  parseSecrets,
  services,
  variablesOf,
  joinServiceVariables,
  joinMigrationVariables,
  type LocalInstallation,
  type Secrets,
  type ServiceName,
  databaseServices,
} from '@saleschannel/installation';
import { Client } from 'pg';
import { writePrivateJson, projectRoot } from './files.ts';
import { printLine, type LogFormat } from './log.ts';
import { toClientsFile, HOST, issuerOf, prepareLocalInstallation, listWebClients } from './place.ts';
import { Running } from './running.ts';
import { openBroker, openDatabases, type ServerByService } from './servers.ts';
import { migrate, supervise, type ProcessOptions, type SupervisedProcess } from './supervisor.ts';

/**
 * Finds the services whose database lacks a migration of these sources. A process per service
 * would take most of the time of a start.
 * @param owners URLs with the role that owns the tables, by service
 */
async function findServicesToMigrate(owners: Readonly<Record<string, string>>): Promise<ServiceName[]> {
  const found = await Promise.all(
    databaseServices.map(async (name) => ((await isOutdated(name, String(owners[name]))) ? [name] : [])),
  );
  return found.flat();
}

async function isOutdated(service: string, url: string): Promise<boolean> {
  const migrations = readMigrations(pathToFileURL(join(projectRoot, 'apps', service, 'src/store/migrations/')));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const select = async (statement: string) => (await client.query<{ name: string }>(statement)).rows;
    return (await listPending(migrations, select)).length > 0;
  } finally {
    await client.end();
  }
}

export interface StackOptions {
  /** Folder of data, keys and secrets. */
  folder: string;
  gatewayPort: number;
  idpPort: number;
  /** Undefined starts no portal, which needs built pages. */
  portalPort?: number | undefined;
  /** Undefined starts no console. */
  consolePort?: number | undefined;
  format: LogFormat;
  /** An existing PostgreSQL, or one per service. Undefined starts a private one. */
  databaseUrl: string | ServerByService | undefined;
  /** An existing RabbitMQ. Undefined starts a private one. */
  amqpUrl: string | undefined;
  /** Prints only lines of the services. */
  quiet?: boolean;
  /** Starts the gateway only with `open()`, and all services if they share a process. */
  isClosed?: boolean;
  /** Runs all services in one process. */
  allInOne?: boolean;
  /** Aborts the start and stops the started parts. */
  signal?: AbortSignal;
  /** Further variables of services, such as a log level. */
  variables?: Record<string, string>;
}

export interface Stack {
  readonly baseUrl: string;
  /** Undefined without a portal. */
  readonly portalUrl: string | undefined;
  /** Undefined without a console. */
  readonly consoleUrl: string | undefined;
  readonly issuer: string;
  readonly audience: string;
  /** Clients of the identity provider, except scripts. */
  readonly webClients: readonly object[];
  /** File with the identity provider's clients. */
  readonly clientsFile: string;
  readonly place: LocalInstallation;
  /** Administrator's URL of the server, or of the ledger's if there are several. */
  readonly databaseAdminUrl: string;
  readonly databaseUrls: Readonly<Record<string, string>>;
  readonly processes: readonly SupervisedProcess[];
  /** Process of a private server. Undefined for an existing one. */
  readonly databasePid: number | undefined;
  readonly brokerPid: number | undefined;
  /** Starts the gateway of a closed stack. */
  open(): Promise<void>;
  /** Stops the started parts in order. */
  stop(): Promise<void>;
}

/** Starts the whole system and returns when all services are ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  mkdirSync(options.folder, { recursive: true });
  const secrets = await keepSecrets(join(options.folder, 'secrets.json'));
  const log = (line: string): void => (options.quiet ? undefined : printLine(options.format, line));
  const running = new Running(log);
  options.signal?.addEventListener('abort', () => running.abortStart());
  try {
    return await Promise.race([running.startAborted, startParts(options, secrets, running, log)]);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** Reads the stack's secrets, and generates missing ones. */
async function keepSecrets(file: string): Promise<Secrets> {
  const secrets = await completeSecrets(existsSync(file) ? parseSecrets(readFileSync(file, 'utf8')) : {});
  writePrivateJson(file, secrets);
  return secrets;
}

async function startParts(
  options: StackOptions,
  secrets: Secrets,
  running: Running,
  log: (line: string) => void,
): Promise<Stack> {
  const { folder, gatewayPort, idpPort, portalPort, consolePort } = options;
  const serverOptions = { folder, secrets, running, log };
  const [broker, database] = await Promise.all([
    openBroker(options.amqpUrl, serverOptions),
    openDatabases(options.databaseUrl, serverOptions),
  ]);
  // Awaited below; until then a failure must not be an unhandled rejection.
  broker.started.catch(() => undefined);
  const place: LocalInstallation = {
    ...(await prepareLocalInstallation({ ...options, secrets, databases: database })),
    brokerUrlOf: broker.urlOf,
  };
  const outdated = await findServicesToMigrate(database.owners);
  if (outdated.length > 0) {
    log('running migrations');
    await migrate(migrationOf(outdated, place, options));
  }
  log('starting services');
  const without = [portalPort === undefined && 'portal', consolePort === undefined && 'console'];
  const isSandbox = place.settings['SANDBOX'] === 'true';
  const selected = services.filter(({ name, isForSandbox }) => !without.includes(name) && (isSandbox || !isForSandbox));
  const processes = processesOf(selected, place, options).map(supervise);
  running.add(() => stopAll(processes));
  const isHeld = (each: SupervisedProcess): boolean => options.isClosed === true && isGateway(each);
  const [{ pid: brokerPid }] = await Promise.all([
    broker.started,
    ...processes.filter((each) => !isHeld(each)).map((each) => each.start()),
  ]);
  const open = async (): Promise<void> => processes.find(isGateway)?.start();
  return {
    baseUrl: `http://${HOST}:${gatewayPort}`,
    portalUrl: place.settings['PORTAL_URL'],
    consoleUrl: place.settings['CONSOLE_URL'],
    issuer: issuerOf(idpPort),
    webClients: listWebClients({ portalPort, consolePort, secrets }),
    audience: AUDIENCE,
    clientsFile: toClientsFile(folder),
    place,
    databaseAdminUrl: database.adminUrl,
    databaseUrls: database.urls,
    processes,
    databasePid: database.pid,
    brokerPid,
    open,
    stop: () => running.stop(),
  };
}

/** Process that migrates several services, because loading each takes longer than migrating. */
const migrationOf = (
  names: readonly ServiceName[],
  place: LocalInstallation,
  { format }: Pick<StackOptions, 'format'>,
): ProcessOptions => ({
  name: ALL_IN_ONE,
  args: servicesArgument(names),
  variables: joinMigrationVariables(names, place),
  format,
});

const servicesArgument = (names: readonly string[]): string[] => ['--services', names.join(',')];

/** Processes of the services. */
function processesOf(
  selected: typeof services,
  place: LocalInstallation,
  { format, allInOne }: StackOptions,
): ProcessOptions[] {
  const names = selected.map(({ name }) => name);
  if (allInOne)
    return [{ name: ALL_IN_ONE, args: servicesArgument(names), variables: joinServiceVariables(names, place), format }];
  return selected.map(({ name, yieldsCpu }) => ({ name, variables: variablesOf(name, place), format, yieldsCpu }));
}

/** True for the process that serves users. It starts last. */
const isGateway = ({ name }: SupervisedProcess): boolean => name === 'gateway' || name === ALL_IN_ONE;

async function stopAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await processes.find(isGateway)?.stop();
  await Promise.all(processes.map((each) => each.stop()));
}
