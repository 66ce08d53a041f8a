import { environment as admin } from '@saleschannel/admin/environment';
import { environment as auditor } from '@saleschannel/auditor/environment';
import { environment as console } from '@saleschannel/console/environment';
import { environment as devIdp } from '@saleschannel/dev-idp/environment';
import { environment as events } from '@saleschannel/events/environment';
import { environment as gateway } from '@saleschannel/gateway/environment';
import { environment as identity } from '@saleschannel/identity/environment';
import { environment as inventory } from '@saleschannel/inventory/environment';
import { environment as portal } from '@saleschannel/portal/environment';
import { environment as rbac } from '@saleschannel/rbac/environment';
import { environment as registryImport } from '@saleschannel/registry-import/environment';
import type { Environment } from '@saleschannel/runtime';
import { environment as sandbox } from '@saleschannel/sandbox/environment';
import { environment as tasks } from '@saleschannel/tasks/environment';
import { environment as traders } from '@saleschannel/traders/environment';
import { environment as webhooks } from '@saleschannel/webhooks/environment';

/** Memory in MiB. */
interface Memory {
  readonly request: number;
  readonly limit: number;
}

/** One service of an installation. */
interface Service {
  readonly name: string;
  /** Every variable that it reads. */
  readonly environment: Environment;
  readonly description: string;
  /** Remark about several replicas. */
  readonly onReplicas?: string;
  /** Memory of a replica in Kubernetes, if not the default. */
  readonly memory?: Memory;
  /** No client waits for its work, so it yields scarce cores to the other services. */
  readonly yieldsCpu?: true;
  /** Never part of a production installation. */
  readonly isForDevelopment?: true;
  /** Part of an installation that is a sandbox, and of no other. */
  readonly isForSandbox?: true;
}

export const usualMemory: Memory = { request: 160, limit: 512 };
/** For services that hold batches, imports or all client connections in memory. */
const moreMemory: Memory = { request: 192, limit: 768 };

const table = [
  {
    name: 'identity',
    environment: identity,
    description:
      'Users, keys and the verification of credentials. Calls the issuer of access tokens outside the system.',
  },
  {
    name: 'rbac',
    environment: rbac,
    description: 'Sales channels and the roles of their users.',
  },
  {
    name: 'traders',
    environment: traders,
    description: 'Traders, and proposals of account holders to become one.',
  },
  {
    name: 'inventory',
    environment: inventory,
    description: 'The ledger: issuances, bundles and transactions.',
    onReplicas:
      "Every replica serves calls. Replicas share the ledger's eight partitions and take over those of a stopped one.",
    memory: moreMemory,
  },
  {
    name: 'tasks',
    environment: tasks,
    description: 'The tasks of requested trades, retirements and offramps.',
  },
  {
    name: 'events',
    environment: events,
    description: 'The event log of each sales channel.',
  },
  {
    name: 'registry-import',
    environment: registryImport,
    description: 'Account holders and the imports of the registry.',
    onReplicas:
      'Each replica applies imports of up to three account holders. Others take them over within 20 seconds if it ' +
      'stops or cannot reach its database, inventory, traders or rbac.',
    memory: moreMemory,
  },
  {
    name: 'webhooks',
    environment: webhooks,
    description:
      'Webhook endpoints of sales channels and the delivery of events to them. Calls the addresses of endpoints ' +
      'outside the system.',
    onReplicas: 'Replicas share the endpoints and take over those of a stopped one within 30 seconds.',
    yieldsCpu: true,
  },
  {
    name: 'sandbox',
    environment: sandbox,
    description: 'Events on demand in a sandbox. Acts as a registry and has no database.',
    isForSandbox: true,
  },
  {
    name: 'dev-idp',
    environment: devIdp,
    description: 'The development identity provider. Lets anyone sign in under any name.',
    isForDevelopment: true,
  },
  // Last, because it starts when the services behind it are ready.
  {
    name: 'gateway',
    environment: gateway,
    description: 'The public APIs. Checks credentials, limits and the format of requests, and calls the services.',
    onReplicas: 'Each replica applies rate limits on its own.',
    memory: moreMemory,
  },
  {
    name: 'portal',
    environment: portal,
    description:
      'The web pages for users. Browsers store the encrypted sessions, and identity stores whether they have ended.',
    onReplicas: 'Every replica can decrypt every session.',
  },
  {
    name: 'console',
    environment: console,
    description:
      'The web pages for operators. Has the rights of the admin command and is never published: operators reach it ' +
      'through a tunnel.',
    onReplicas: 'Every replica can decrypt every session.',
  },
] as const satisfies readonly Service[];

export type ServiceName = (typeof table)[number]['name'];

/** A service or a command. */
export type ProgramName = ServiceName | typeof ADMIN | typeof AUDITOR;

export const ADMIN = 'admin';
export const AUDITOR = 'auditor';

/** Every service, with the development identity provider. */
export const services: readonly (Service & { readonly name: ServiceName })[] = table;

/** The services of a production installation. */
export const productionServices = services.filter(
  ({ isForDevelopment, isForSandbox }) => !isForDevelopment && !isForSandbox,
);

/** Additional services of a sandbox installation. */
export const sandboxServices = services.filter(({ isForSandbox }) => isForSandbox);

/** Every service and command. */
export const programNames: readonly ProgramName[] = [...services.map(({ name }) => name), ADMIN, AUDITOR];

const environments = new Map<ProgramName, Environment>([
  ...services.map(({ name, environment }) => [name, environment] as const),
  [ADMIN, admin],
  [AUDITOR, auditor],
]);

/** Every variable that a program reads. */
export function environmentOf(program: ProgramName): Environment {
  const environment = environments.get(program);
  if (!environment) throw new Error(`Unknown program ${program}.`);
  return environment;
}

export const readsVariable = (program: ProgramName, variable: string): boolean => variable in environmentOf(program);

const readers = (variable: string): ServiceName[] =>
  services.flatMap(({ name }) => (readsVariable(name, variable) ? [name] : []));

export const databaseServices = readers('DATABASE_URL');
export const brokerServices = readers('AMQP_URL');
export const grpcServices = readers('GRPC_PORT');
/** Programs that call the public API over HTTP. */
export const apiCallers = [...readers('PORTAL_API_URL'), ...readers('SANDBOX_API_URL')];
/** Programs with a broker user. */
export const brokerPrograms: readonly ProgramName[] = programNames.filter((name) => readsVariable(name, 'AMQP_URL'));

/** Program whose key and certificate another one uses: the console acts as admin. */
export const identityOf = (program: ProgramName): ProgramName => (program === 'console' ? ADMIN : program);

/** Programs with a service key. */
export const programsWithKey: readonly ProgramName[] = [
  ...readers('SERVICE_PRIVATE_KEY').filter((name) => identityOf(name) === name),
  ADMIN,
];

/** Programs with secrets of their own. */
export const programsWithSecrets: readonly ProgramName[] = [
  ...programsWithKey,
  ...readers('CONSOLE_COOKIE_KEYS'),
  AUDITOR,
];

/** Variable with the address of a service. */
export const addressVariable = (service: ServiceName): string =>
  `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/** Services that a program calls, in the order of their declared addresses. */
export const calleesOf = (program: ProgramName): ServiceName[] =>
  Object.keys(environmentOf(program)).flatMap(
    (variable) => grpcServices.find((service) => addressVariable(service) === variable) ?? [],
  );

/** Programs that call a service. */
export const callersOf = (service: ServiceName): ProgramName[] =>
  programNames.filter((program) => calleesOf(program).includes(service));

/** Variables that hold a secret. */
export const secretVariables: ReadonlySet<string> = new Set(
  programNames.flatMap((program) =>
    Object.entries(environmentOf(program)).flatMap(([variable, { secret }]) => (secret ? [variable] : [])),
  ),
);
