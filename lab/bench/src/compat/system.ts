import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalInstallation, ServiceName } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { migrate, openBroker, openDatabases, prepareLocalInstallation, Running, supervise } from '@saleschannel/local';
import { UNLIMITED } from '../scenarios/settle.ts';
import { Fleet } from './fleet.ts';
import type { Release } from './release.ts';

export interface System {
  readonly fleet: Fleet;
  readonly place: LocalInstallation;
  /** Migrates the databases to the schema of a release. */
  migrate(release: Release): Promise<void>;
  stop(): Promise<void>;
}

interface SystemOptions {
  readonly folder: string;
  readonly logs: string;
  /** Release whose identity provider and secrets the system uses. */
  readonly newest: Release;
  readonly preStopSeconds: number;
  readonly variables: Readonly<Record<string, string>>;
  onFault(fault: string): void;
}

const LOCALHOST = '127.0.0.1';

export const REPLICAS = 2;
/** Services without replicas here. The portal and the console are clients of the gateway and have to be built. */
const OTHERS: readonly ServiceName[] = ['dev-idp', 'sandbox', 'portal', 'console'];

export const listServices = ({ installation }: Release): ServiceName[] =>
  installation.services.map(({ name }) => name).filter((name) => !OTHERS.includes(name));

/** Starts a release on a system without running services. The gateways start last. */
export async function install({ fleet, migrate: bringUp }: System, release: Release): Promise<void> {
  await bringUp(release);
  const services = listServices(release);
  for (const isGateway of [false, true]) {
    const now = services.filter((name) => (name === 'gateway') === isGateway);
    for (let replica = 0; replica < REPLICAS; replica++)
      await Promise.all(now.map((service) => fleet.add(service, release)));
  }
}

/**
 * Starts the servers of a system without any service. Secrets, roles and broker users are those of the newest release
 * from the beginning, because operators complete them before they upgrade.
 */
export async function openSystem({ folder, logs, newest, onFault, ...options }: SystemOptions): Promise<System> {
  mkdirSync(logs, { recursive: true });
  const running = new Running(() => undefined);
  try {
    const secrets = await newest.installation.completeSecrets({});
    const serverOptions = { folder, secrets, running, log: () => undefined };
    const [databases, broker] = await Promise.all([
      openDatabases(undefined, serverOptions),
      openBroker(undefined, serverOptions),
    ]);
    const ports = { gatewayPort: await findFreePort(), idpPort: await findFreePort() };
    const variables = { ...UNLIMITED, LOG_LEVEL: 'info', ...options.variables };
    const local = await prepareLocalInstallation({ folder, ...ports, secrets, databases, variables });
    const metricsPorts: [ServiceName, number][] = [];
    for (const name of newest.installation.grpcServices) metricsPorts.push([name, await findFreePort()]);
    const place: LocalInstallation = {
      ...local,
      brokerUrlOf: broker.urlOf,
      metricsPorts: Object.fromEntries(metricsPorts),
    };
    const idp = supervise({
      name: 'dev-idp',
      variables: newest.installation.variablesOf('dev-idp', { ...place, host: LOCALHOST, metricsPorts: {} }),
      format: 'json',
      root: newest.root,
      logFile: join(logs, 'dev-idp.log'),
    });
    running.add(async () => void (await idp.stop()));
    await idp.start();
    const fleet = await Fleet.open({ place, folder: logs, preStopSeconds: options.preStopSeconds, onFault });
    running.add(() => fleet.stop());
    return { fleet, place, migrate: (release) => migrateAll(release, place, logs), stop: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function migrateAll({ installation, root }: Release, place: LocalInstallation, logs: string): Promise<void> {
  await Promise.all(
    installation.databaseServices.map((name) =>
      migrate({
        name,
        variables: installation.variablesOfMigration(name, place),
        format: 'json',
        root,
        logFile: join(logs, `${name}-migrations.log`),
      }),
    ),
  );
}
