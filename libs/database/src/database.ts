import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM, defineConfig, type EntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { env, withSpan, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { asUnavailable, sqlState } from './errors.ts';
import { asMigrationsList, type MigrationFile } from './migrations.ts';
import { PreparingClient } from './preparing-client.ts';

export type { EntityManager } from '@mikro-orm/postgresql';

export const databaseEnvironment = {
  DATABASE_URL: env.url('PostgreSQL database of this service alone', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  DATABASE_POOL_MAX: env.integer('most connections of one process', { min: 2, max: 200, default: '10' }),
} satisfies Environment;

/** What a service keeps: its mapped records and its schema. */
export interface Schema {
  readonly entities: NonNullable<Parameters<typeof defineConfig>[0]['entities']>;
  /** In order. Each runs once per database. */
  readonly migrations: readonly MigrationFile[];
}

export interface DatabaseOptions extends Schema {
  url: string;
  poolMax: number;
  logger: Logger;
}

/** A statement may take this long, and wait this long for a lock. Nothing in a service is meant to come near. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const TRANSACTION_ATTEMPTS_AT_MOST = 6;
const RETRY_BASE_MS = 5;

/**
 * Statements are prepared once per connection and keep their plan, perhaps one that was made while a table was still
 * empty. A plan that goes by index, row by row, stays right as a table grows. One that reads all of it does not
 * (measured on batches of 40: 10 to 40 ms instead of 0.3). All that services ask is by key or by page.
 */
const PLANNER_SETTINGS = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'random_page_cost=1.1']
  .map((setting) => `-c ${setting}`)
  .join(' ');

/**
 * serialization_failure and deadlock_detected: PostgreSQL undid the transaction whole, so running it again is right.
 */
const retryableStates = new Set(['40001', '40P01']);

export interface Database extends Part {
  /** A fresh unit of work for reads. Calls never share one. */
  em(): EntityManager;
  /** One transaction, run again from the start a bounded number of times on deadlock or serialization failure. */
  transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Brings the schema up to date. */
  migrate(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: options.url,
      entities: options.entities,
      // A service may do all its work in SQL.
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        tableName: 'schema_migration',
        transactional: true,
        allOrNothing: true,
        snapshot: false,
        silent: true,
        migrationsList: asMigrationsList(options.migrations),
      },
      pool: { min: 0, max: options.poolMax },
      driverOptions: {
        Client: PreparingClient,
        connectionTimeoutMillis: 5_000,
        options: PLANNER_SETTINGS,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: LOCK_TIMEOUT_MS,
      },
      logger: (message) => options.logger.debug(message),
    }),
  );
  return {
    em: () => orm.em.fork(),
    transaction: (work) => transaction(orm as Pick<MikroORM, 'em'>, work),
    async migrate() {
      await orm.migrator.up();
    },
    async start() {
      const pending = await orm.migrator.getPending();
      if (pending.length > 0) {
        const [first] = pending;
        throw new Error(
          `the database lacks ${pending.length} migrations, the first is ${first?.name}: run "migrate" of this service`,
        );
      }
    },
    stop: () => orm.close(),
  };
}

/** The service's own database, as its environment names it. */
export const openServiceDatabase = (
  values: Values<typeof databaseEnvironment>,
  schema: Schema,
  logger: Logger,
): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, ...schema, logger });

/** The whole of a service's `migrate` command: opens the database, brings its schema up to date and closes it. */
export async function migrateServiceDatabase(
  values: Values<typeof databaseEnvironment>,
  schema: Schema,
  logger: Logger,
): Promise<void> {
  const database = await openServiceDatabase(values, schema, logger);
  await database.migrate().finally(() => database.stop());
}

async function transaction<T>(orm: Pick<MikroORM, 'em'>, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withSpan('transaction', { kind: 'client', attributes: { 'db.system': 'postgresql' } }, () =>
        orm.em.fork().transactional((em) => work(em as EntityManager)),
      );
    } catch (error) {
      const isRetryable = retryableStates.has(sqlState(error) ?? 'none');
      if (!isRetryable || attempt >= TRANSACTION_ATTEMPTS_AT_MOST) throw asUnavailable(error);
      await delay(Math.random() * RETRY_BASE_MS * 2 ** attempt);
    }
  }
}
