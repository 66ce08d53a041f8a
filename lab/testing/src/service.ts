import { randomUUID } from 'node:crypto';
import type { KeyHolder } from '@saleschannel/auth';
import type { AuditedService } from '@saleschannel/contracts';
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
import { identityVariables, callAs } from './calls.ts';
import { createMigratedDatabase, toOwnerUrl, toRuntimeUrl, type TestDatabase } from './database.ts';

/** Values of an object before and after each change, according to an audit trail. */
export async function listAuditedChanges(
  { name, address }: { name: AuditedService; address: string },
  scope: string,
  subjectId: string,
): Promise<[before: unknown, after: unknown][]> {
  const client = await callAs('admin', 'auditLog', address, name);
  try {
    const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 1_000 } });
    return events
      .map(({ event }) => JSON.parse(event) as { subject: { id: string }; before: unknown; after: unknown })
      .filter(({ subject, before }) => subject.id === subjectId && before !== null)
      .map(({ before, after }) => [before, after]);
  } finally {
    client.close();
  }
}

export interface TestService extends App {
  /** In-process address of its RPCs, in addition to `address`. */
  readonly addressInside: string;
  /** Database URL with superuser rights. */
  readonly databaseUrl: string;
  /** Runs a statement in the service's database as a superuser. `$1` is the first value. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface TestServiceOptions {
  namespace?: string;
  /** Further variables, such as addresses of the services it calls. */
  variables?: Record<string, string>;
  /** Database of another replica, to test two replicas. */
  databaseUrl?: string;
  /** Logger of the service, silent by default. */
  logger?: Logger;
}

/** Migrates like the `migrate` command, with the role that owns the tables. */
async function migrateService<E extends Environment>(
  { migration }: ServiceDefinition<E>,
  variables: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<void> {
  const url = variables['DATABASE_URL'];
  if (!migration || url === undefined) return;
  const given = { MIGRATION_DATABASE_URL: toOwnerUrl(url), ...variables };
  await migration.run(readEnvironment(migration.environment, given), logger);
}

/** Creates a database with a service's schema for this test file. */
export const createServiceDatabase = <E extends Environment>(definition: ServiceDefinition<E>): Promise<TestDatabase> =>
  createMigratedDatabase(definition.name, (url) => migrateService(definition, { DATABASE_URL: url }, silentLogger));

/** Migrates a service's schema and starts the service in this process, as its main does. */
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

/** Starts one service in this process with its own database and real RabbitMQ, as its main does. */
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
    DATABASE_URL: toRuntimeUrl(database.url),
    AMQP_URL: process.env['TEST_AMQP_URL'] ? testBrokerUrl() : 'amqp://unused',
    AMQP_NAMESPACE: options.namespace ?? 'unused',
    ...identityVariables(definition.name as KeyHolder),
    ...options.variables,
  };
  const app = await startService(definition, variables, options.logger ?? silentLogger);
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // Ignores connections that the server closes when a test takes the database away.
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
