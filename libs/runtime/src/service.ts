import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { createLogger, logLevels, type Logger, type LogLevel } from './logger.ts';
import { env, EnvironmentError, readEnvironment, type Environment, type Values } from './environment.ts';
import { startTelemetry } from './telemetry.ts';

/** Limited to characters that a challenge can quote (RFC 9470 section 3). */
const contexts = z
  .string()
  .regex(/^[ !#-[\]-~]*$/, { error: 'must hold no quotation mark, no backslash and no control character' })
  .transform((text) => text.split(' ').filter((word) => word !== ''));

/** Variables of the services that check sign-ins: identity for the gateway, and the console. */
export const recentSignInEnvironment = {
  RECENT_SIGN_IN_ACR: env.parsed(
    'authentication contexts ("acr"), one of which a recent sign-in must have, separated by spaces; any when unset',
    contexts,
    { default: '' },
  ),
} satisfies Environment;

/** Variables of every service. Spread them into the declaration of the service. */
export const processEnvironment = {
  LOG_LEVEL: env.oneOf('minimum level of log lines', logLevels, { default: 'info' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: env.optional(env.url('OTLP/HTTP endpoint for traces; tracing is off when unset')),
  METRICS_HOST: env.text('address that the Prometheus endpoint listens on', { default: '127.0.0.1' }),
  METRICS_PORT: env.optional(env.port('port of the Prometheus endpoint; the endpoint is off when unset')),
  SALESCHANNEL_VERSION: env.optional(env.text('version of the program, for metrics and traces; its image sets it')),
  SALESCHANNEL_COMMIT: env.text('commit that the program was built from; its image sets it', { default: 'unknown' }),
} satisfies Environment;

/** Variables of services that behave differently in a sandbox. */
export const sandboxEnvironment = {
  SANDBOX: env.parsed(
    'whether this installation is a sandbox, in which all data is test data',
    z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true'),
    { default: 'false' },
  ),
} satisfies Environment;

/** A component with a life cycle. Parts start in order, and stop in reverse order. */
export interface Part {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** False if it can neither work nor release its work to another replica: the process must restart. */
  readonly isHealthy?: boolean;
}

export interface App extends Part {
  /** `host:port`, for the log and for tests. */
  readonly address: string;
}

/** Joins parts into one. If a start fails, it stops the parts that have started. */
export function sequence(...parts: Part[]): Part {
  const running: Part[] = [];
  const stop = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const part of running.splice(0).reverse()) await part.stop().catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw new AggregateError(faults, 'not everything stopped cleanly');
  };
  return {
    get isHealthy() {
      return parts.every((part) => part.isHealthy !== false);
    },
    async start() {
      for (const part of parts) {
        try {
          running.push(part);
          await part.start();
        } catch (error) {
          await stop().catch(() => undefined);
          throw error;
        }
      }
    },
    stop,
  };
}

/** Joins servers so that they drain at the same time. The address is that of the first. */
export function drainTogether(first: App, ...others: readonly App[]): App {
  const all = [first, ...others];
  const inOrder = sequence(...all);
  return {
    get address() {
      return first.address;
    },
    get isHealthy() {
      return inOrder.isHealthy !== false;
    },
    start: () => inOrder.start(),
    async stop() {
      const ends = await Promise.allSettled(all.map((app) => app.stop()));
      const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      if (faults.length > 0) throw new AggregateError(faults, 'not everything stopped cleanly');
    },
  };
}

/** Composes an app whose server starts after all other parts and stops before them. Clients close last. */
export function composeApp(
  parts: Part[],
  server: Part & { readonly address: string },
  clients: { close(): void }[] = [],
): App {
  const all = sequence(...parts, server);
  return {
    get address() {
      return server.address;
    },
    get isHealthy() {
      return all.isHealthy !== false;
    },
    start: () => all.start(),
    async stop() {
      await all.stop();
      for (const client of clients) client.close();
    },
  };
}

/** Migrates a service's schema. It has its own variables, which the running service does not have. */
export interface Migration<E extends Environment = Environment> {
  readonly environment: E & Pick<typeof processEnvironment, 'LOG_LEVEL'>;
  run(values: Values<E & Pick<typeof processEnvironment, 'LOG_LEVEL'>>, logger: Logger): Promise<void>;
}

export interface ServiceDefinition<E extends Environment> {
  name: string;
  /** Services of the process, if it hosts several. */
  hostedServices?: readonly string[];
  environment: E & typeof processEnvironment;
  /** Builds the service without starting it. */
  createApp(values: Values<E & typeof processEnvironment>, logger: Logger): Promise<App> | App;
  /** Undefined for a service without a database. */
  migration?: Migration;
}

/** Time limit of a stop, after which the process exits. */
const STOP_LIMIT_MS = 25_000;
const HEALTH_CHECK_MS = 5_000;

/**
 * Main function of every service: `serve` (default) or `migrate`. SIGTERM and SIGINT stop it in order. The exit code is
 * 78 if variables are invalid, with a line per fault, and 1 if a part cannot start.
 */
export async function runService<E extends Environment>(
  definition: ServiceDefinition<E>,
  argv = process.argv,
): Promise<void> {
  if (argv[2] === 'migrate') return migrate(definition);
  const values = readOrExit(definition.name, definition.environment);
  const common = values as unknown as Values<typeof processEnvironment>;
  const logger = createLogger(definition.name, common.LOG_LEVEL as LogLevel);
  await exitOnError(definition.name, logger, () => serve(definition, values, common, logger));
}

/** Reads only the variables of the migration. Those of the service may be missing, and its secrets should be. */
async function migrate({ name, migration }: Pick<ServiceDefinition<Environment>, 'name' | 'migration'>): Promise<void> {
  if (!migration) return;
  const values = readOrExit(name, migration.environment);
  const logger = createLogger(name, values.LOG_LEVEL as LogLevel);
  await exitOnError(name, logger, async () => {
    await migration.run(values, logger);
    logger.info('schema is up to date');
  });
}

async function exitOnError(name: string, logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.fatal({ err: error }, `${name} cannot start: ${(error as Error).message}`);
    process.exitCode = 1;
    // Parts that started may keep the event loop alive.
    setTimeout(() => process.exit(1), 2_000).unref();
  }
}

/** EX_CONFIG of sysexits.h: a restart with the same variables is pointless. */
const INVALID_ENVIRONMENT = 78;

function readOrExit<E extends Environment>(name: string, environment: E): Values<E> {
  try {
    return readEnvironment(environment);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(INVALID_ENVIRONMENT);
  }
}

/** Reads the version from the package.json of a program that runs from source. */
function readVersion(main: string | undefined): string {
  const manifest = main === undefined ? undefined : findPackageJSON(pathToFileURL(realpathSync(main)));
  if (manifest === undefined) return 'unknown';
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}

async function serve<E extends Environment>(
  definition: ServiceDefinition<E>,
  values: Values<E & typeof processEnvironment>,
  common: Values<typeof processEnvironment>,
  logger: Logger,
): Promise<void> {
  const stopTelemetry = await startTelemetry({
    service: definition.name,
    ...(definition.hostedServices && { hostedServices: definition.hostedServices }),
    build: { version: common.SALESCHANNEL_VERSION ?? readVersion(process.argv[1]), commit: common.SALESCHANNEL_COMMIT },
    tracesEndpoint: common.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsHost: common.METRICS_HOST,
    metricsPort: common.METRICS_PORT,
  });
  const app = await definition.createApp(values, logger);
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info(`${signal}: stopping`);
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await app.stop().catch((error: unknown) => {
      logger.error({ err: error }, 'stopped with errors');
      process.exitCode = 1;
    });
    await stopTelemetry().catch(() => undefined);
    logger.info('stopped');
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  // Stops the service if its supervisor with an IPC channel dies.
  process.once('disconnect', () => void stop('supervisor exited'));
  process.channel?.unref();
  await app.start();
  exitWhenUnhealthy(app, logger);
  logger.info({ address: app.address }, `ready at ${app.address}`);
  process.send?.('ready');
}

/** Exits at once, which releases all locks and leases. The supervisor restarts the process. */
function exitWhenUnhealthy(app: App, logger: Logger): void {
  const timer = setInterval(() => {
    if (app.isHealthy !== false) return;
    logger.fatal('work neither ends nor can be released: exiting for a restart');
    process.exit(1);
  }, HEALTH_CHECK_MS);
  timer.unref();
}
