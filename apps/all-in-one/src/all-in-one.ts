import { randomUUID } from 'node:crypto';
import { createHealthProbe, createHealthServer, grpcEnvironment } from '@saleschannel/grpc';
import {
  createLogger,
  processEnvironment,
  readHostedValues,
  runAsService,
  toHostedEnvironment,
  type App,
  type Environment,
  type Logger,
  type LogLevel,
  type ServiceDefinition,
} from '@saleschannel/runtime';
import { edges, loadServices, type HostableName, type HostedService } from './hostable.ts';

const NAME = 'all-in-one';
const PROBE_TIMEOUT_MS = 1_000;

const { GRPC_HOST, GRPC_HEALTH_PORT } = grpcEnvironment;
/** Variables of the process itself. */
const ownEnvironment = { ...processEnvironment, GRPC_HOST, GRPC_HEALTH_PORT };

type HostedValues = Readonly<Record<string, unknown>>;

const addressVariable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/**
 * Returns the hosts of a service's gRPC server. Without its own port it has no socket, only its address in this
 * process.
 */
function listeningHost(values: HostedValues, address: string): string {
  const { GRPC_HOST: host, GRPC_PORT: port } = values;
  return port === 0 ? address : `${String(host)},${address}`;
}

/**
 * Hosts several services in one process. Each has its own variables, database, broker user, log and telemetry, as in a
 * process of its own. They call each other without sockets.
 */
export async function createAllInOne(names: readonly HostableName[]): Promise<ServiceDefinition<Environment>> {
  const services = await loadServices(names);
  const hostedAddresses = new Set(services.map(({ name }) => addressVariable(name)));
  const isRead = ([variable]: [string, unknown]): boolean => !hostedAddresses.has(variable);
  const environments = services.map(({ name, environment }) =>
    toHostedEnvironment(name, Object.fromEntries(Object.entries(environment).filter(isRead))),
  );
  const migrations = services.flatMap(({ name, migration }) => (migration ? [{ name, migration }] : []));
  return {
    name: NAME,
    hostedServices: names,
    environment: Object.assign({}, ...environments, ownEnvironment) as typeof ownEnvironment,
    async createApp(values, logger) {
      const instance = randomUUID();
      const toAddress = (name: string): string => `in-process:${instance}/${name}`;
      const addresses = Object.fromEntries(services.map(({ name }) => [addressVariable(name), toAddress(name)]));
      const apps = await Promise.all(
        services.map((service) => {
          const own = readHostedValues(service.name, values);
          return createHostedApp(service, {
            ...own,
            ...addresses,
            GRPC_HOST: listeningHost(own, toAddress(service.name)),
            GRPC_HEALTH_PORT: undefined,
          });
        }),
      );
      const joined = joinApps(apps);
      const port = values['GRPC_HEALTH_PORT'] as number | undefined;
      if (port === undefined) return joined;
      const servers = services.filter(({ environment }) => 'GRPC_PORT' in environment);
      return withHealth(joined, {
        host: String(values['GRPC_HOST']),
        port,
        addresses: servers.map(({ name }) => toAddress(name)),
        logger,
      });
    },
    migration: {
      environment: Object.assign(
        { LOG_LEVEL: processEnvironment.LOG_LEVEL },
        ...migrations.map(({ name, migration }) => toHostedEnvironment(name, migration.environment)),
      ) as Pick<typeof processEnvironment, 'LOG_LEVEL'>,
      async run(values) {
        const runs = migrations.map(({ name, migration }) => {
          const own = readHostedValues(name, values) as Parameters<typeof migration.run>[0];
          return migration.run(own, createLogger(name, own.LOG_LEVEL as LogLevel));
        });
        await Promise.all(runs);
      },
    },
  };
}

async function createHostedApp(service: HostedService, values: HostedValues): Promise<HostedApp> {
  const { name } = service;
  const logger = createLogger(name, values['LOG_LEVEL'] as LogLevel);
  const app = await runAsService(name, () => service.createApp(values, logger));
  return {
    isEdge: edges.has(name),
    app: {
      get address() {
        return app.address;
      },
      get isHealthy() {
        return app.isHealthy !== false;
      },
      async start() {
        await runAsService(name, () => app.start());
        logger.info({ address: app.address }, `ready at ${app.address}`);
      },
      async stop() {
        await runAsService(name, () => app.stop());
        logger.info('stopped');
      },
    },
  };
}

interface HealthOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses of the services that must serve before the process is ready. */
  readonly addresses: readonly string[];
  readonly logger: Logger;
}

/** Reports at one port whether all hosted services are ready. */
function withHealth(joined: App, { addresses, ...server }: HealthOptions): App {
  const probes = addresses.map((address) => createHealthProbe(address));
  const areServing = async (): Promise<boolean> =>
    (await Promise.all(probes.map((probe) => probe.isServing(PROBE_TIMEOUT_MS)))).every(Boolean);
  const health = createHealthServer({ ...server, isUsable: areServing });
  return {
    get address() {
      return joined.address;
    },
    get isHealthy() {
      return joined.isHealthy !== false;
    },
    async start() {
      await joined.start();
      await health.start();
    },
    async stop() {
      await joined.stop();
      await health.stop();
      for (const probe of probes) probe.close();
    },
  };
}

export interface HostedApp {
  readonly app: App;
  /** True for an HTTP server for clients. */
  readonly isEdge: boolean;
}

const listErrors = (ends: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));

/**
 * Joins hosted services to one app. All start concurrently. On stop, edges drain first, together. Then the others stop
 * one by one in reverse order, so that each can still call its services.
 */
export function joinApps(hosted: readonly HostedApp[]): App {
  const apps = hosted.map(({ app }) => app);
  const edges = hosted.flatMap(({ app, isEdge }) => (isEdge ? [app] : []));
  const others = hosted.flatMap(({ app, isEdge }) => (isEdge ? [] : [app])).reverse();
  const stop = async (): Promise<void> => {
    const ends = await Promise.allSettled(edges.map((app) => app.stop()));
    for (const app of others) ends.push(...(await Promise.allSettled([app.stop()])));
    const errors = listErrors(ends);
    if (errors.length > 0) throw new AggregateError(errors, 'Some services did not stop cleanly.');
  };
  return {
    get address() {
      return [...edges, ...others].map(({ address }) => address).join(', ');
    },
    get isHealthy() {
      return apps.every((app) => app.isHealthy !== false);
    },
    async start() {
      const [error] = listErrors(await Promise.allSettled(apps.map((app) => app.start())));
      if (error === undefined) return;
      await stop().catch(() => undefined);
      throw error;
    },
    stop,
  };
}
