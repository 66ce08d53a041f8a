import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALL_IN_ONE,
  AUDIENCE,
  completeSecrets,
  parseSecrets,
  services,
  variablesOf,
  variablesOfAllInOne,
  variablesOfMigrations,
  type Place,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import { say, type LogFormat } from './log.ts';
import { clientsFileOf, HOST, issuerOf, prepareLocalPlace, webClientsOf } from './place.ts';
import { writePrivateJson } from './private-file.ts';
import { Running } from './running.ts';
import { findOutdated } from './outdated.ts';
import { openBroker, openDatabases, type ServerByService } from './servers.ts';
import { migrate, supervise, type ProcessOptions, type SupervisedProcess } from './supervisor.ts';

export interface StackOptions {
  /** Where data, keys and secrets are kept. */
  folder: string;
  gatewayPort: number;
  idpPort: number;
  /** Undefined: no portal is started, and no pages need to be built. */
  portalPort?: number | undefined;
  /** Undefined: no console is started. */
  consolePort?: number | undefined;
  format: LogFormat;
  /** An existing PostgreSQL, or one for each service. Without it a private one is started. */
  databaseUrl: string | ServerByService | undefined;
  /** An existing RabbitMQ. Without it a private one is started. */
  amqpUrl: string | undefined;
  /** The stack prints nothing itself. Lines of the services still come. */
  quiet?: boolean;
  /** The gateway starts with `open()`. All in one process, everything does. */
  isClosed?: boolean;
  /** All services in one process. */
  allInOne?: boolean;
  /** Aborted, the start ends where it is, and what was started stops. */
  signal?: AbortSignal;
  /** Further variables for the services that read them, for instance a log level. */
  variables?: Record<string, string>;
}

export interface Stack {
  readonly baseUrl: string;
  /** Where the portal is. Undefined without one. */
  readonly portalUrl: string | undefined;
  /** Where the console is. Undefined without one. */
  readonly consoleUrl: string | undefined;
  readonly issuer: string;
  readonly audience: string;
  /** The identity provider's clients that are no scripts. */
  readonly webClients: readonly object[];
  /** The identity provider's clients. */
  readonly clientsFile: string;
  readonly place: Place;
  /** The server's admin URL, that of the ledger where there are several, and each service's own. */
  readonly databaseAdminUrl: string;
  readonly databaseUrls: Readonly<Record<string, string>>;
  readonly processes: readonly SupervisedProcess[];
  /** Of the private servers. Undefined for given ones. */
  readonly databasePid: number | undefined;
  readonly brokerPid: number | undefined;
  /** Starts the gateway of a stack that was started closed. */
  open(): Promise<void>;
  /** Stops what was started, in order, and nothing else. */
  stop(): Promise<void>;
}

/** Starts the whole system, every service as its own process, and returns when they are ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  mkdirSync(options.folder, { recursive: true });
  const secrets = await keepSecrets(join(options.folder, 'secrets.json'));
  const log = (line: string): void => (options.quiet ? undefined : say(options.format, line));
  const running = new Running(log);
  options.signal?.addEventListener('abort', () => running.giveUp());
  try {
    return await Promise.race([running.givenUp, startParts(options, secrets, running, log)]);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The stack's secrets: made at the first start and kept for the next ones. */
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
  // Awaited below. A failure before that must not be an unhandled rejection.
  broker.started.catch(() => undefined);
  const place: Place = {
    ...(await prepareLocalPlace({ ...options, secrets, databases: database })),
    brokerUrlOf: broker.urlOf,
  };
  const outdated = await findOutdated(database.owners);
  if (outdated.length > 0) {
    log('running migrations');
    await migrate(migrationOf(outdated, place, options));
  }
  log('starting services');
  const without = [portalPort === undefined && 'portal', consolePort === undefined && 'console'];
  const isSandbox = place.settings['SANDBOX'] === 'true';
  const wanted = services.filter(({ name, isForSandbox }) => !without.includes(name) && (isSandbox || !isForSandbox));
  const processes = processesOf(wanted, place, options).map(supervise);
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
    webClients: webClientsOf({ portalPort, consolePort, secrets }),
    audience: AUDIENCE,
    clientsFile: clientsFileOf(folder),
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

/** What runs the migrations of these services: one process for all, as each takes longer to load than to migrate. */
const migrationOf = (
  names: readonly ServiceName[],
  place: Place,
  { format }: Pick<StackOptions, 'format'>,
): ProcessOptions => ({
  name: ALL_IN_ONE,
  args: servicesArgument(names),
  variables: variablesOfMigrations(names, place),
  format,
});

const servicesArgument = (names: readonly string[]): string[] => ['--services', names.join(',')];

/** What runs the services. */
function processesOf(wanted: typeof services, place: Place, { format, allInOne }: StackOptions): ProcessOptions[] {
  const names = wanted.map(({ name }) => name);
  if (allInOne)
    return [{ name: ALL_IN_ONE, args: servicesArgument(names), variables: variablesOfAllInOne(names, place), format }];
  return wanted.map(({ name, yieldsCpu }) => ({ name, variables: variablesOf(name, place), format, yieldsCpu }));
}

/** The one that opens the stack to users: what it calls is there before it. */
const isGateway = ({ name }: SupervisedProcess): boolean => name === 'gateway' || name === ALL_IN_ONE;

async function stopAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await processes.find(isGateway)?.stop();
  await Promise.all(processes.map((each) => each.stop()));
}
