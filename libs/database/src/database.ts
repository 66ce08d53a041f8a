import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, defineConfig } from '@mikro-orm/postgresql';
import type { Logger, Part } from '@saleschannel/runtime';
import type { Pool } from 'pg';
import type { Availability } from './availability.ts';
import { connectionOptions, type Timeouts, PreparingClient } from './connection.ts';
import { DatabaseWatch } from './database-watch.ts';
import { toUnavailable, isTransient } from './errors.ts';
import {
  toMigrationsList,
  expectSupportedServer,
  listPending,
  runPending,
  type MigrationFile,
  restrictRights,
} from './migrations.ts';
import { createPoolExecutor, observePool, runTransaction, type TransactionOptions } from './pool.ts';
import { EntityManager } from './sql.ts';
import type { Transaction } from './transaction.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

interface Waiting {
  /** Limit from the first failure to the last attempt. */
  readonly waitMs: number;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Retries while the database is unreachable. If services and databases start together, unresolved names and refused
 * connections are normal.
 * @throws the error of the last attempt
 */
async function retryUntilReachable<T>({ waitMs, logger, signal }: Waiting, work: () => Promise<T>): Promise<T> {
  let end: number | undefined;
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      end ??= performance.now() + waitMs;
      const remainingMs = end - performance.now();
      if (remainingMs <= 0) throw error;
      const remaining = `retrying for ${Math.ceil(remainingMs / 1_000)} s`;
      logger.warn(`the database is unreachable: ${(error as Error).message}; ${remaining}`);
      await delay(Math.min(wait, remainingMs), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Schema of a service. */
export interface Schema {
  /** Migrations in order. Each runs once per database. */
  readonly migrations: readonly MigrationFile[];
  /** Append-only tables whose rows are locked nevertheless. Each has a column `id`. */
  readonly lockedTables?: readonly string[];
}

export interface DatabaseOptions extends Schema {
  url: string;
  poolMax: number;
  logger: Logger;
  /** How long the start and the migration wait for an unreachable database. Default: 0. */
  waitMs?: number;
  timeouts?: Partial<Timeouts>;
  /** Default: 'primary'. */
  poolName?: PoolName;
}

/** Name of a pool in metrics and in the server's list of sessions. */
export type PoolName = 'primary' | 'standby' | 'work' | 'deliveries' | 'retries';

/** Idle connections that stay open. Under load, a new connection with its login costs more than a statement. */
const WARM_CONNECTIONS = 2;

export interface Database extends Part {
  /** Returns a new unit of work outside of any transaction. Calls never share a unit of work. */
  em(): EntityManager;
  /**
   * Runs one transaction, and retries it from the start a bounded number of times after a deadlock or serialization
   * failure. Within an RPC, it does not commit after the call's deadline or cancellation.
   * @throws DomainError 'unavailable' if the deadline has passed, the call is cancelled or the database is unreachable
   */
  transaction<T>(work: (em: EntityManager) => Promise<T> | T, options?: TransactionOptions): Promise<T>;
  /**
   * Whether the database answers soon and accepts changes, unlike a standby. Probes it unless it is started, whose
   * watch knows. Never throws.
   */
  isUsable(): Promise<boolean>;
  /** Result of the probes of a started database. */
  readonly availability: Availability;
  /** Maximum number of connections for work on this pool. */
  readonly poolMax: number;
  /** The server's clock, by the last probe of a started database, for decisions that replicas must agree on. */
  readonly clock: { now(): Date };
  /** Converts a transient error to 'unavailable'. Returns others unchanged. */
  toDomainError(error: unknown): unknown;
  /** Applies pending migrations. */
  migrate(): Promise<void>;
}

/** Opens a database with one pool for all work, and one additional connection for its probe. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const watch = new DatabaseWatch(options);
  return withWatch(await openPool(options, watch), watch);
}

/** Starts and stops the watch together with the first pool of a database. */
export const withWatch = (database: Database, watch: DatabaseWatch): Database => ({
  ...database,
  async start() {
    await database.start();
    await watch.start();
  },
  async stop() {
    await watch.stop();
    await database.stop();
  },
});

/** Opens a pool, and adds it to the watch of its database. */
export async function openPool(options: DatabaseOptions, watch: DatabaseWatch): Promise<Database> {
  const poolName = options.poolName ?? 'primary';
  let createdPool: Pool | undefined;
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: options.url,
      // Services write SQL (ADR 9).
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        tableName: 'schema_migration',
        transactional: true,
        allOrNothing: true,
        snapshot: false,
        silent: true,
        migrationsList: toMigrationsList(options.migrations),
      },
      pool: { min: Math.min(WARM_CONNECTIONS, options.poolMax), max: options.poolMax },
      driverOptions: {
        Client: PreparingClient,
        // MikroORM takes only host, port, user and database from it. The rest has the TLS parameters.
        connectionString: options.url,
        onPoolCreated: (pool: Pool) => (createdPool = pool),
        ...connectionOptions({ timeouts: options.timeouts ?? {}, applicationName: poolName }),
      },
      logger: (message) => options.logger.debug(message),
    }),
  );
  // Creates the pool without connecting.
  orm.em.getConnection().getClient();
  const pool = createdPool as unknown as Pool;
  const executor = createPoolExecutor(pool);
  const em = (inTransaction?: Transaction): EntityManager => new EntityManager(options.url, executor, inTransaction);
  watch.add(pool);
  const pending = (): Promise<MigrationFile[]> =>
    listPending(options.migrations, (statement) => orm.em.getConnection().execute(statement));
  let endObservation = (): void => undefined;
  const stopping = new AbortController();
  const waiting = { waitMs: options.waitMs ?? 0, logger: options.logger, signal: stopping.signal };
  return {
    em: () => em(),
    transaction: (work, limits) => runTransaction({ em, pool }, work, limits),
    isUsable: () => watch.isUsable(),
    availability: watch.availability,
    poolMax: options.poolMax,
    clock: watch.clock,
    toDomainError: toUnavailable,
    async migrate() {
      await retryUntilReachable(waiting, () => expectSupportedServer(em()));
      await retryUntilReachable(waiting, async () =>
        runPending(orm.migrator, await pending(), (statement) => orm.em.getConnection().execute(statement)),
      );
      await restrictRights(em(), options.lockedTables ?? []);
    },
    async start() {
      endObservation = observePool(pool, poolName);
      const missing = await retryUntilReachable(waiting, pending);
      const [first] = missing;
      if (first)
        throw new Error(
          `The database lacks ${missing.length} migrations. The first is ${first.file}. Run "migrate" of this service.`,
        );
    },
    async stop() {
      stopping.abort();
      watch.remove(pool);
      endObservation();
      await orm.close();
    },
  };
}
