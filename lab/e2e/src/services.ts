import { type DatabaseName, databaseNames } from '@saleschannel/auditor';
import type { DevIdp } from '@saleschannel/dev-idp/app';
import { service as events } from '@saleschannel/events/app';
import { createService as createGateway } from '@saleschannel/gateway/app';
import { service as identity } from '@saleschannel/identity/app';
import {
  addressVariable,
  calleesOf,
  variablesOf,
  type LocalInstallation,
  type ServiceName,
} from '@saleschannel/installation';
import { service as inventory } from '@saleschannel/inventory/app';
import { buildPages } from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
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
import { createServiceDatabase, startService, type TestDatabase, eventually } from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { service as webhooks } from '@saleschannel/webhooks/app';
import { Client } from 'pg';
import { z } from 'zod';
import type { SystemOptions, System } from './system.ts';

export const HOST = '127.0.0.1';

const logLevel = z.enum(logLevels).catch('silent');
/** E2E_LOG=warn shows the logs of the services. */
export const createTestLogger = (service: ServiceName): Logger =>
  createLogger(service, logLevel.parse(process.env['E2E_LOG']));

/** Creates the database of a service and starts the service in this process. */
interface ServiceStarter {
  createDatabase(): Promise<TestDatabase>;
  start(variables: Record<string, string>, logger: Logger): Promise<App>;
}

const createStarter = <E extends Environment>(definition: ServiceDefinition<E>): ServiceStarter => ({
  createDatabase: () => createServiceDatabase(definition),
  start: (variables, logger) => startService(definition, variables, logger),
});

/** The services behind the gateway, each with its own database. */
export const services: Readonly<Record<DatabaseName, ServiceStarter>> = {
  identity: createStarter(identity),
  rbac: createStarter(rbac),
  traders: createStarter(traders),
  inventory: createStarter(inventory),
  tasks: createStarter(tasks),
  events: createStarter(events),
  'registry-import': createStarter(registryImport),
  webhooks: createStarter(webhooks),
};

/** Cleanup functions, run in reverse order when the system stops. */
export type CleanupStack = (() => Promise<unknown>)[];

const inProcessAddress = (system: string, service: ServiceName): string => `in-process:${system}/${service}`;

/** Variables of a service. With a name in `inside`, services call each other in this process. */
export function resolveVariables(
  name: ServiceName,
  place: LocalInstallation,
  inside: string | undefined,
): Record<string, string> {
  const variables = variablesOf(name, place);
  if (inside === undefined) return variables;
  const addresses = calleesOf(name).map((callee) => [addressVariable(callee), inProcessAddress(inside, callee)]);
  return { ...variables, GRPC_HOST: `${HOST},${inProcessAddress(inside, name)}`, ...Object.fromEntries(addresses) };
}

/** Starts gateway replicas, which share nothing but the services behind them. */
export async function startGateways(
  place: LocalInstallation,
  inside: string | undefined,
  { gateways = 1, now }: SystemOptions,
  stops: CleanupStack,
): Promise<readonly string[]> {
  const baseUrls: string[] = [];
  while (baseUrls.length < gateways) {
    const gateway = createGateway(now ? { now } : {});
    const app = await startService(gateway, resolveVariables('gateway', place, inside), createTestLogger('gateway'));
    stops.push(() => app.stop());
    baseUrls.push(`http://${app.address}`);
  }
  return baseUrls;
}

/** Starts the sandbox, which acts as a registry at the gateway. */
export async function startSandbox(
  { baseUrl, ...place }: LocalInstallation & { readonly baseUrl: string },
  inside: string | undefined,
  stops: CleanupStack,
): Promise<void> {
  const own: LocalInstallation = { ...place, ports: { ...place.ports, gateway: Number(new URL(baseUrl).port) } };
  const app = await startService(sandbox, resolveVariables('sandbox', own, inside), createTestLogger('sandbox'));
  stops.push(() => app.stop());
}

/** Starts portal replicas, each in front of a gateway, with this checkout's pages, rebuilt if changed. */
export async function startPortals(
  { baseUrls, ...place }: LocalInstallation & { readonly baseUrls: readonly string[] },
  idp: DevIdp,
  { now, replicas = 1 }: NonNullable<SystemOptions['portal']>,
  stops: CleanupStack,
): Promise<readonly string[]> {
  await buildPages(() => undefined);
  const ports: number[] = [];
  while (ports.length < replicas) ports.push(await findFreePort());
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
    const own: LocalInstallation = {
      ...place,
      ports: { ...place.ports, gateway, portal },
      settings: { ...place.settings, PORTAL_URL: url },
    };
    const app = await startService(
      createPortal(now ? { now } : {}),
      variablesOf('portal', own),
      createTestLogger('portal'),
    );
    stops.push(() => app.stop());
  }
  return urls;
}

export type Databases = Readonly<Record<DatabaseName, TestDatabase>>;

export async function createDatabases(stops: CleanupStack): Promise<Databases> {
  const created = await Promise.all(
    databaseNames.map(async (name) => [name, await services[name].createDatabase()] as const),
  );
  stops.push(() => Promise.all(created.map(([, database]) => database.drop())));
  return Object.fromEntries(created) as Databases;
}

/** Runs one statement on a service's database, to check its content and never to change it. */
export async function readSql<Row extends object>(
  databaseUrl: string,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}

const undecided = `
  select count(*) filter (where transaction_id is null) as undecided, count(*) as waiting
  from task where status = 'PENDING'`;
const endedTransactions = `
  select count(*) filter (where status <> 'PENDING') as ended, count(*) filter (where status = 'PENDING') as waiting
  from ledger_transaction where task_id is not null`;
const unsent = 'select id from outbox limit 1';
const senders = ['identity', 'rbac', 'inventory', 'tasks'] as const;

/** Resolves when every accepted task is decided, every message delivered and every event in the log. */
export async function waitUntilDrained(sql: System['querySql']): Promise<void> {
  await eventually(async () => {
    const [[task], [ledger], [log], ...outboxes] = await Promise.all([
      sql<{ undecided: string; waiting: string }>('tasks', undecided),
      sql<{ ended: string; waiting: string }>('inventory', endedTransactions),
      sql<{ events: string }>('events', 'select count(*) as events from event'),
      ...senders.map((service) => sql(service, unsent)),
    ]);
    const isDecided = task?.undecided === '0' && task.waiting === ledger?.waiting && ledger.ended === log?.events;
    return isDecided && outboxes.every(({ length }) => length === 0);
  }, 'the end of all tasks');
}
