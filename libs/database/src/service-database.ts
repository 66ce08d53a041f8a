import {
  env,
  processEnvironment,
  type Environment,
  type Logger,
  type Migration,
  type Values,
} from '@saleschannel/runtime';
import { withAuthorities, type Timeouts } from './connection.ts';
import { openDatabase, openPool, withWatch, type Database, type PoolName, type Schema } from './database.ts';
import { DatabaseWatch, PROBE_CONNECTIONS } from './database-watch.ts';

const authorityEnvironment = {
  DATABASE_CA_FILE: env.optional(
    env.text('file with the CA certificates to trust for PostgreSQL; the public CAs when unset'),
  ),
} satisfies Environment;

export const databaseEnvironment = {
  DATABASE_URL: env.url('URL of the PostgreSQL database of this service', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  ...authorityEnvironment,
  DATABASE_POOL_MAX: env.integer(
    'maximum database connections of one process, shared by its RPCs, background work and health probe',
    { min: 2, max: 200, default: '10' },
  ),
  DATABASE_WAIT_SECONDS: env.integer('time that a start or a migration waits for an unreachable database', {
    max: 3_600,
    default: '60',
  }),
} satisfies Environment;

/**
 * Variables of the `migrate` command of every service. A job that changes tables needs no keys of the service, and a
 * service needs no right to change tables.
 */
export const migrationEnvironment = {
  LOG_LEVEL: processEnvironment.LOG_LEVEL,
  MIGRATION_DATABASE_URL: env.url('URL of the PostgreSQL database of the service, with the role that owns its tables', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  ...authorityEnvironment,
  DATABASE_WAIT_SECONDS: databaseEnvironment.DATABASE_WAIT_SECONDS,
} satisfies Environment;

/** Creating an index of a large table takes long, and only the migration waits for it. */
const migrationTimeouts: Partial<Timeouts> = { statementMs: 30 * 60_000 };

/** Returns the URL of the service's own database, with the CAs to trust. */
export const databaseUrl = (values: Pick<Values<typeof databaseEnvironment>, 'DATABASE_URL' | 'DATABASE_CA_FILE'>) =>
  withAuthorities(values.DATABASE_URL, values.DATABASE_CA_FILE);

/**
 * Opens the service's own database from its environment, with pools that share `DATABASE_POOL_MAX`: `database` for
 * RPCs, and one for each other kind of work, so that none waits for another under load. The service must start each
 * pool, `database` first, because it probes the server for all of them.
 * @param parts shares of the connections, by names of the other pools. One connection is for the probe, the others are
 *   for RPCs
 */
export async function openServiceDatabase<Name extends PoolName>(
  values: Values<typeof databaseEnvironment>,
  schema: Schema,
  logger: Logger,
  parts: Readonly<Record<Name, number>>,
  timeouts: Partial<Timeouts> = {},
): Promise<Readonly<Record<'database' | Name, Database>>> {
  const options = {
    url: databaseUrl(values),
    waitMs: values.DATABASE_WAIT_SECONDS * 1_000,
    ...schema,
    logger,
    timeouts,
  };
  const sizes = divideConnections(values.DATABASE_POOL_MAX, parts);
  const watch = new DatabaseWatch(options);
  const opened: [string, Database][] = [
    ['database', withWatch(await openPool({ ...options, poolMax: sizes.calls }, watch), watch)],
  ];
  for (const [poolName, poolMax] of sizes.others)
    opened.push([poolName, await openPool({ ...options, poolName, poolMax }, watch)]);
  return Object.fromEntries(opened) as Record<'database' | Name, Database>;
}

/** A job may hold a lock in a transaction on one connection, and work on another one. */
const MIN_WORK_CONNECTIONS = 2;

/** Divides the connections. Every pool gets its minimum, so the sum may exceed a very small `all`. */
function divideConnections<Name extends string>(all: number, parts: Readonly<Record<Name, number>>) {
  const others = Object.entries<number>(parts).map(
    ([name, part]) => [name as Name, Math.max(MIN_WORK_CONNECTIONS, Math.floor(all * part))] as const,
  );
  const used = others.reduce((sum, [, connections]) => sum + connections, PROBE_CONNECTIONS);
  return { calls: Math.max(1, all - used), others };
}

/** Creates the `migrate` command of a service: it opens the database as its owner, and applies pending migrations. */
export const createMigration = (schema: Schema): Migration<typeof migrationEnvironment> => ({
  environment: migrationEnvironment,
  async run(values, logger) {
    const database = await openDatabase({
      url: withAuthorities(values.MIGRATION_DATABASE_URL, values.DATABASE_CA_FILE),
      // One to migrate, and one for MikroORM.
      poolMax: 2,
      waitMs: values.DATABASE_WAIT_SECONDS * 1_000,
      ...schema,
      logger,
      timeouts: migrationTimeouts,
    });
    await database.migrate().finally(() => database.stop());
  },
});
