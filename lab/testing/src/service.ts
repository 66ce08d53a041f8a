import { randomUUID } from 'node:crypto';
import type { KeyHolder } from '@saleschannel/auth';
import {
  readEnvironment,
  silentLogger,
  type App,
  type Environment,
  type Logger,
  type ServiceDefinition,
} from '@saleschannel/runtime';
import { Pool } from 'pg';
import { testBrokerUrl } from './broker.ts';
import { createMigratedDatabase, ownerUrlOf, runtimeUrlOf, type TestDatabase } from './database.ts';
import { identityVariables } from './identities.ts';

export interface TestService extends App {
  /** Where its RPCs are inside this process, besides those at its address. */
  readonly addressInside: string;
  /** With the rights of a superuser. */
  readonly databaseUrl: string;
  /** Runs a statement in the service's database as a superuser, with `$1` for the first value. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface TestServiceOptions {
  namespace?: string;
  /** Further variables, for instance addresses of the services it calls. */
  variables?: Record<string, string>;
  /** Another process's database, to test two replicas. */
  databaseUrl?: string;
  /** Where the service's log goes; nowhere unless told. */
  logger?: Logger;
}

/** As the `migrate` command does, with the role that owns the tables of a test's database. */
async function migrateService<E extends Environment>(
  { migration }: ServiceDefinition<E>,
  variables: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<void> {
  const url = variables['DATABASE_URL'];
  if (!migration || url === undefined) return;
  const given = { MIGRATION_DATABASE_URL: ownerUrlOf(url), ...variables };
  await migration.run(readEnvironment(migration.environment, given), logger);
}

/** A database of this test file's own, with the schema of a service. */
export const createServiceDatabase = <E extends Environment>(definition: ServiceDefinition<E>): Promise<TestDatabase> =>
  createMigratedDatabase(definition.name, (url) => migrateService(definition, { DATABASE_URL: url }, silentLogger));

/** Brings the schema of a service up to date and starts it in this process, the way its main does. */
export async function startService<E extends Environment>(
  definition: ServiceDefinition<E>,
  variables: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<App> {
  const values = readEnvironment(definition.environment, variables);
  await migrateService(definition, variables, logger);
  const app = await definition.createApp(values, logger);
  await app.start();
  return app;
}

/** Runs one service in this process, with a database of its own and real RabbitMQ, the way its main does. */
export async function startTestService<E extends Environment>(
  definition: ServiceDefinition<E>,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: () => Promise.resolve() }
    : await createServiceDatabase(definition);
  const addressInside = `in-process:${randomUUID()}`;
  const variables = {
    GRPC_HOST: `127.0.0.1,${addressInside}`,
    DATABASE_URL: runtimeUrlOf(database.url),
    AMQP_URL: process.env['TEST_AMQP_URL'] ? testBrokerUrl() : 'amqp://unused',
    AMQP_NAMESPACE: options.namespace ?? 'unused',
    ...identityVariables(definition.name as KeyHolder),
    ...options.variables,
  };
  const app = await startService(definition, variables, options.logger ?? silentLogger);
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // The server closes connections when a test takes the database away.
  pool.on('error', () => undefined);
  const stop = async (): Promise<void> => {
    await app.stop();
    await pool.end();
    await database.drop();
  };
  let stopped: Promise<void> | undefined;
  return {
    databaseUrl: database.url,
    addressInside,
    get address() {
      return app.address;
    },
    sql: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...params])).rows,
    start: () => Promise.resolve(),
    stop: () => (stopped ??= stop()),
  };
}
