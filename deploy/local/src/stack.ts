import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureRabbitMqInstalled,
  freePort,
  startPostgres,
  startRabbitMq,
  type RunningPostgres,
} from '@saleschannel/local-backends';
import { permissionsOf } from '@saleschannel/messaging';
import { createAdministration, type Administration } from '@saleschannel/admin';
import { createServiceTokens, type ServiceKeys } from '@saleschannel/auth';
import { prepareDatabases } from './databases.ts';
import { prepareDemo, type Demo } from './demo.ts';
import { say, type LogFormat } from './log.ts';
import { Running } from './running.ts';
import { readOrMakeSecrets, writePrivateFile, type Secrets } from './secrets.ts';
import {
  addressVariable,
  brokerServices,
  databaseServices,
  grpcServices,
  services,
  type ServiceName,
} from './services.ts';
import { migrate, supervise, type SupervisedProcess } from './supervisor.ts';

export interface StackOptions {
  /** Where data, keys and secrets are kept. */
  folder: string;
  gatewayPort: number;
  idpPort: number;
  format: LogFormat;
  /** An existing PostgreSQL; a private one is started without it. */
  databaseUrl: string | undefined;
  /** An existing RabbitMQ; a private one is started without it. */
  amqpUrl: string | undefined;
  /** Says nothing of its own; services' lines still come. */
  quiet?: boolean;
  /** Aborted, the start ends where it is, and what was started stops. */
  signal?: AbortSignal;
  /** Further variables for all services, for instance a log level. */
  variables?: Record<string, string>;
}

export interface Stack {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly clientsFile: string;
  readonly secrets: Secrets;
  /** gRPC addresses by service. */
  readonly addresses: Record<string, string>;
  /** The server's admin URL, and each service's own. */
  readonly databaseAdminUrl: string;
  readonly databaseUrls: Record<string, string>;
  readonly brokerAdminUrl: string;
  readonly processes: readonly SupervisedProcess[];
  /** Of the private servers; undefined for given ones. */
  readonly databasePid: number | undefined;
  readonly brokerPid: number | undefined;
  /** Stops what was started, in order, and nothing else. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const NAMESPACE = 'saleschannel';
const VHOST = 'saleschannel';
const AUDIENCE = 'saleschannel-api';
const ADMIN = 'admin';

interface Broker {
  readonly pid: number | undefined;
  urlOf(service: string): string;
}

/** Starts the whole system, every service as its own process, and returns when the gateway answers. */
export async function startStack(options: StackOptions): Promise<Stack> {
  mkdirSync(options.folder, { recursive: true });
  const secrets = await readOrMakeSecrets(join(options.folder, 'secrets.json'));
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

type Log = (line: string) => void;

async function startParts(options: StackOptions, secrets: Secrets, running: Running, log: Log): Promise<Stack> {
  const starting = {
    database: openDatabases(options, secrets, running, log),
    broker: openBroker(options, secrets, running, log),
  };
  // Both are awaited below; a failure of the one must not be an unhandled rejection while the other is awaited.
  starting.broker.catch(() => undefined);
  const { adminUrl, urls, pid } = await starting.database;
  const variables = await commonVariables(options, secrets);
  const variablesOf = (name: ServiceName, amqpUrl: string): Record<string, string> =>
    ownVariables(name, secrets, variables, urls[name], amqpUrl);
  log('migrations');
  await Promise.all(
    databaseServices.map((name) =>
      migrate({ name, variables: variablesOf(name, 'amqp://unused'), format: options.format }),
    ),
  );
  const broker = await starting.broker;
  log('services');
  const processes = services.map(({ name }) =>
    supervise({
      name,
      variables: variablesOf(name, brokerServices.includes(name) ? broker.urlOf(name) : ''),
      format: options.format,
    }),
  );
  running.add(() => stopAll(processes));
  await startAll(processes);
  return {
    baseUrl: `http://${HOST}:${options.gatewayPort}`,
    issuer: variables['OIDC_ISSUER'] ?? '',
    audience: AUDIENCE,
    clientsFile: variables['IDP_CLIENTS_FILE'] ?? '',
    secrets,
    addresses: Object.fromEntries(grpcServices.map((name) => [name, variables[addressVariable(name)] ?? ''])),
    databaseAdminUrl: adminUrl,
    databaseUrls: urls,
    brokerAdminUrl: broker.urlOf(ADMIN),
    processes,
    databasePid: pid,
    brokerPid: broker.pid,
    stop: () => running.stop(),
  };
}

async function openDatabases(
  options: StackOptions,
  secrets: Secrets,
  running: Running,
  log: Log,
): Promise<{ adminUrl: string; urls: Record<string, string>; pid: number | undefined }> {
  let server: RunningPostgres | undefined;
  if (!options.databaseUrl) {
    log('PostgreSQL: a private one');
    const dataDirectory = join(options.folder, 'postgres');
    server = await running.keep('PostgreSQL', (port) =>
      startPostgres({ dataDirectory, log, ...(port === undefined ? {} : { port }) }),
    );
  }
  const adminUrl = options.databaseUrl ?? server?.url ?? '';
  return { adminUrl, urls: await prepareDatabases(adminUrl, secrets.databasePasswords), pid: server?.pid };
}

async function openBroker(options: StackOptions, secrets: Secrets, running: Running, log: Log): Promise<Broker> {
  const given = options.amqpUrl;
  if (given) return { urlOf: () => given, pid: undefined };
  await ensureRabbitMqInstalled(log);
  log('RabbitMQ: a private node');
  const everything = { configure: '.*', write: '.*', read: '.*' };
  const users = [
    ...brokerServices.map((name) => ({
      name,
      password: secrets.brokerPasswords[name] ?? '',
      ...permissionsOf(name, NAMESPACE),
    })),
    { name: ADMIN, password: secrets.brokerPasswords[ADMIN] ?? '', ...everything },
  ];
  const dataDirectory = join(options.folder, 'rabbitmq');
  const node = await running.keep('RabbitMQ', (port) =>
    startRabbitMq({ dataDirectory, users, vhost: VHOST, log, ...(port === undefined ? {} : { port }) }),
  );
  return { urlOf: (service) => node.url(service), pid: node.pid };
}

/** Everything that any service may read; each is given only what it declares. */
async function commonVariables(options: StackOptions, secrets: Secrets): Promise<Record<string, string>> {
  const issuer = `http://${HOST}:${options.idpPort}`;
  const clientsFile = join(options.folder, 'idp-clients.json');
  if (!existsSync(clientsFile)) writeFileSync(clientsFile, '[]\n', { mode: 0o600 });
  const variables: Record<string, string> = {
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    SERVICE_PUBLIC_KEYS: JSON.stringify(secrets.serviceKeys.publicKeys),
    GRPC_HOST: HOST,
    AMQP_NAMESPACE: NAMESPACE,
    API_KEY_PEPPER: secrets.apiKeyPepper,
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: AUDIENCE,
    GATEWAY_HOST: HOST,
    GATEWAY_PORT: String(options.gatewayPort),
    IDP_HOST: HOST,
    IDP_PORT: String(options.idpPort),
    IDP_ISSUER: issuer,
    IDP_AUDIENCE: AUDIENCE,
    IDP_CLIENTS_FILE: clientsFile,
    IDP_KEYS_FILE: join(options.folder, 'idp-keys.json'),
    IDP_DOCS_REDIRECT_URIS: `http://${HOST}:${options.gatewayPort}/docs/oauth2-redirect.html,http://127.0.0.1/callback`,
    ...passedOn(),
    ...options.variables,
  };
  for (const name of grpcServices) variables[addressVariable(name)] = `${HOST}:${await freePort()}`;
  return variables;
}

/** Settings that whoever starts the stack may make for its services. */
function passedOn(): Record<string, string> {
  const names = new Set(services.flatMap(({ environment }) => Object.keys(environment)));
  const settable = [...names].filter((name) => /^(OTEL_|RATE_|TASK_|MAX_|CORS_|LOG_)/.test(name));
  return Object.fromEntries(
    settable.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function ownVariables(
  name: ServiceName,
  secrets: Secrets,
  common: Record<string, string>,
  databaseUrl: string | undefined,
  amqpUrl: string,
): Record<string, string> {
  const environment = services.find((service) => service.name === name)?.environment ?? {};
  const own: Record<string, string> = {
    ...common,
    GRPC_PORT: common[addressVariable(name)]?.split(':')[1] ?? '',
    SERVICE_PRIVATE_KEY: JSON.stringify(secrets.serviceKeys.privateKeys[name] ?? {}),
    DATABASE_URL: databaseUrl ?? '',
    AMQP_URL: amqpUrl,
  };
  return Object.fromEntries(Object.entries(own).filter(([variable]) => variable in environment));
}

/** The gateway starts when all others are ready; those start together. */
async function startAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await Promise.all(processes.filter((each) => each.name !== 'gateway').map((each) => each.start()));
  await processes.find((each) => each.name === 'gateway')?.start();
}

async function stopAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await processes.find((each) => each.name === 'gateway')?.stop();
  await Promise.all(processes.map((each) => each.stop()));
}

/** The stack's administration, as the admin command has it. */
export async function administrationOf(stack: Pick<Stack, 'addresses' | 'secrets'>): Promise<Administration> {
  const { identity = '', rbac = '', 'registry-import': registryImport = '' } = stack.addresses;
  const tokens = await createServiceTokens(
    ADMIN,
    stack.secrets.serviceKeys.privateKeys[ADMIN] as ServiceKeys['privateKeys'][string],
  );
  return createAdministration({ addresses: { identity, rbac, registryImport }, tokens });
}

/** Writes what the admin command needs to reach the stack, for its `--env-file` (mode 0600). */
export function writeAdminEnvironment(stack: Stack, file: string): void {
  const variables: Record<string, string> = {
    SERVICE_PRIVATE_KEY: JSON.stringify(stack.secrets.serviceKeys.privateKeys[ADMIN]),
    IDENTITY_ADDRESS: stack.addresses['identity'] ?? '',
    RBAC_ADDRESS: stack.addresses['rbac'] ?? '',
    REGISTRY_IMPORT_ADDRESS: stack.addresses['registry-import'] ?? '',
    AMQP_URL: stack.brokerAdminUrl,
    AMQP_NAMESPACE: NAMESPACE,
  };
  writePrivateFile(
    file,
    Object.entries(variables)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  );
}

/** The demonstration of a running stack. */
export async function demoOf(stack: Stack, file: string, print: (line: string) => void): Promise<Demo> {
  const administration = await administrationOf(stack);
  const { baseUrl, issuer, audience, clientsFile } = stack;
  const setClients = (clients: object[]): void =>
    writePrivateFile(clientsFile, `${JSON.stringify(clients, null, 2)}\n`);
  try {
    return await prepareDemo({ baseUrl, issuer, audience, administration, setClients }, file, print);
  } finally {
    administration.close();
  }
}
