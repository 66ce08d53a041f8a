import { MikroORM, defineConfig, type EntityManager } from '@mikro-orm/postgresql';
import { Migrator, type Migration } from '@mikro-orm/migrations';
import { env, withSpan, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { DomainError } from '@saleschannel/errors';
import { PreparingClient } from './preparing-client.ts';

export type { EntityManager } from '@mikro-orm/postgresql';

export const databaseEnvironment = {
  DATABASE_URL: env.url('PostgreSQL database of this service alone', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  DATABASE_POOL_MAX: env.integer('most connections of one process', { min: 2, max: 200, default: '10' }),
} satisfies Environment;

type Entities = NonNullable<Parameters<typeof defineConfig>[0]['entities']>;

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  entities: Entities;
  /** In order; each has run once per database. */
  migrations: (new (...args: never[]) => Migration)[];
  logger: Logger;
}

/** A statement may take this long, and wait this long for a lock; nothing in a service is meant to come near. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const TRANSACTION_ATTEMPTS_AT_MOST = 6;
const RETRY_BASE_MS = 5;

/**
 * Statements are prepared once per connection and keep their plan, perhaps one that was made while a table was still empty. A plan that goes by index, row by row, stays
 * right as a table grows; one that reads all of it does not (measured on batches of 40: 10 to 40 ms instead of 0.3). All that services ask is by key or by page.
 */
const PLANNER_SETTINGS = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'random_page_cost=1.1']
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** serialization_failure and deadlock_detected: PostgreSQL undid the transaction whole, running it again is right. */
const retryableStates = new Set(['40001', '40P01']);

/** Connection lost, refused or shutting down, too many connections: the database cannot be reached now. */
const unreachable = /^(08|57P0|53300)/;
const unreachableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN']);

export interface Database extends Part {
  /** A fresh unit of work for reads; never shared between calls. */
  em(): EntityManager;
  /** One transaction, run again from the start a bounded number of times on deadlock or serialization failure. */
  transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Brings the schema up to date. */
  migrate(): Promise<void>;
  close(): Promise<void>;
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
        migrationsList: options.migrations.map((migration) => ({ name: migration.name, class: migration as never })),
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
  const database: Database = {
    em: () => orm.em.fork(),
    transaction: (work) => transaction(orm as Pick<MikroORM, 'em'>, work),
    async migrate() {
      await orm.migrator.up();
    },
    async start() {
      const pending = await orm.migrator.getPending();
      if (pending.length > 0) {
        throw new Error(
          `the database lacks ${pending.length} migration(s), first ${pending[0]?.name}: run this service with "migrate" first`,
        );
      }
    },
    stop: () => database.close(),
    close: () => orm.close(),
  };
  return database;
}

/** The service's own database, as its environment names it. */
export const openServiceDatabase = (
  values: Values<typeof databaseEnvironment>,
  schema: Pick<DatabaseOptions, 'entities' | 'migrations'>,
  logger: Logger,
): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, ...schema, logger });

/** The whole of a service's `migrate` command: opens the database, brings its schema up to date and closes it. */
export async function migrateDatabase(opening: Promise<Database>): Promise<void> {
  const database = await opening;
  await database.migrate().finally(() => database.close());
}

async function transaction<T>(orm: Pick<MikroORM, 'em'>, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withSpan('transaction', { kind: 'client', attributes: { 'db.system': 'postgresql' } }, () =>
        orm.em.fork().transactional((em) => work(em as EntityManager)),
      );
    } catch (error) {
      if (attempt >= TRANSACTION_ATTEMPTS_AT_MOST || !retryableStates.has(sqlState(error) ?? ''))
        throw asUnavailable(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * RETRY_BASE_MS * 2 ** attempt));
    }
  }
}

/** The SQLSTATE behind an error of the driver or the ORM, for instance 23505 for a broken unique constraint. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

export const UNIQUE_VIOLATION = '23505';

/** True when the database could not be reached at all, so that waiting and trying again is right. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  const code = sqlState(error) ?? '';
  const message = (error as Error | undefined)?.message ?? '';
  return (
    unreachable.test(code) ||
    unreachableCodes.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(message)
  );
}

/** Errors that mean "not now" as such; all others as they are. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DomainError || !isDatabaseUnreachable(error)) return error;
  return new DomainError('unavailable', 'A part of the service cannot be reached at the moment.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}
