import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM, defineConfig } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { Migrator } from '@mikro-orm/migrations';
import { DomainError } from '@saleschannel/errors';
import { currentLimit, withSpan, type Logger, type Part } from '@saleschannel/runtime';
import type { Availability } from './availability.ts';
import { connectionOptions, type Patience } from './connection.ts';
import { asUnavailable, isPlanOutdated, sqlState } from './errors.ts';
import {
  asMigrationsList,
  isOutsideTransaction,
  listPending,
  recordedName,
  statementsOutside,
  type MigrationFile,
} from './migrations.ts';
import { PreparingClient } from './preparing-client.ts';
import { connectionOf, createPoolExecutor } from './executor.ts';
import { observePool } from './pool-metrics.ts';
import { EntityManager } from './entity-manager.ts';
import { DatabaseWatch } from './database-watch.ts';
import { restrictRights } from './rights.ts';
import { Transaction } from './transaction.ts';
import { expectSupportedServer } from './server-version.ts';
import { untilReachable } from './until-reachable.ts';

/** What a service keeps: its mapped records and its schema. */
export interface Schema {
  readonly entities: NonNullable<Parameters<typeof defineConfig>[0]['entities']>;
  /** In order. Each runs once per database. */
  readonly migrations: readonly MigrationFile[];
  /** Tables that are only added to and whose rows are locked all the same. Each has a column `id`. */
  readonly lockedTables?: readonly string[];
}

export interface DatabaseOptions extends Schema {
  url: string;
  poolMax: number;
  logger: Logger;
  /** How long the start and a migration wait for a database that cannot be reached. Default: not at all. */
  waitMs?: number;
  patience?: Partial<Patience>;
  /** Default: that of the primary. */
  poolName?: PoolName;
}

/** What metrics and the server's list of sessions call the connections of a pool. */
export type PoolName = 'primary' | 'standby' | 'work' | 'deliveries' | 'retries';

export interface TransactionOptions {
  /** For whom waiting for a lock as long as usual would hold up others. */
  readonly lockTimeoutMs?: number;
}

/** Kept when idle: on a busy machine a new connection with its login costs more than the statement. */
const WARM_CONNECTIONS = 2;

const TRANSACTION_ATTEMPTS_AT_MOST = 6;
const RETRY_BASE_MS = 5;

/**
 * serialization_failure and deadlock_detected: PostgreSQL undid the transaction whole, so running it again is right.
 */
const retryableStates = new Set(['40001', '40P01']);

export interface Database extends Part {
  /** A fresh unit of work for reads. Calls never share one. */
  em(): EntityManager;
  /**
   * One transaction, run again from the start a bounded number of times on deadlock or serialization failure. Within a
   * call it does not commit after the call's deadline, or once its caller has gone.
   * @throws DomainError 'unavailable' then
   */
  transaction<T>(work: (em: EntityManager) => Promise<T> | T, options?: TransactionOptions): Promise<T>;
  /** Whether it answers soon and takes changes: a standby does not. Asks the database unless started. Never throws. */
  isUsable(): Promise<boolean>;
  /** What the probes of a started database have found. */
  readonly availability: Availability;
  /** The most connections that all work on this pool has together. */
  readonly poolMax: number;
  /** The server's clock, as the last probe of a started database showed it. For what replicas must agree on. */
  readonly clock: { now(): Date };
  /** An error that means "not now" as 'unavailable'. All others as they are. */
  asDomainError(error: unknown): unknown;
  /** Brings the schema up to date. */
  migrate(): Promise<void>;
}

/** A database with one pool for all work. Its probe has one further connection. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const watch = new DatabaseWatch(options);
  return watched(await openPool(options, watch), watch);
}

/** Starts the watch with the first pool of a database, and stops it with that. */
export const watched = (database: Database, watch: DatabaseWatch): Database => ({
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

/** A pool of a database that the watch probes, or is to. */
export async function openPool(options: DatabaseOptions, watch: DatabaseWatch): Promise<Database> {
  const poolName = options.poolName ?? 'primary';
  let made: Pool | undefined;
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
      pool: { min: Math.min(WARM_CONNECTIONS, options.poolMax), max: options.poolMax },
      driverOptions: {
        Client: PreparingClient,
        // MikroORM takes host, port, user and database out of it. TLS is in the rest.
        connectionString: options.url,
        onPoolCreated: (pool: Pool) => (made = pool),
        ...connectionOptions({ patience: options.patience ?? {}, applicationName: poolName }),
      },
      logger: (message) => options.logger.debug(message),
    }),
  );
  // Makes the pool, and connects to nothing yet.
  orm.em.getConnection().getClient();
  const pool = made as unknown as Pool;
  const executor = createPoolExecutor(pool);
  const em = (inTransaction?: Transaction): EntityManager => new EntityManager(orm, executor, inTransaction);
  watch.add(pool);
  const pending = (): Promise<MigrationFile[]> =>
    listPending(options.migrations, (statement) => orm.em.getConnection().execute(statement));
  let endObservation = (): void => undefined;
  const stopping = new AbortController();
  const waiting = { waitMs: options.waitMs ?? 0, logger: options.logger, signal: stopping.signal };
  return {
    em: () => em(),
    transaction: (work, limits) => transaction({ em, pool }, work, limits),
    isUsable: () => watch.isUsable(),
    availability: watch.availability,
    poolMax: options.poolMax,
    clock: watch.clock,
    asDomainError: asUnavailable,
    async migrate() {
      await untilReachable(waiting, () => expectSupportedServer(em()));
      await untilReachable(waiting, async () =>
        runPending(orm.migrator, await pending(), (statement) => orm.em.getConnection().execute(statement)),
      );
      await restrictRights(em(), options.lockedTables ?? []);
    },
    async start() {
      endObservation = observePool(pool, poolName);
      const lacking = await untilReachable(waiting, pending);
      const [first] = lacking;
      if (first)
        throw new Error(
          `the database lacks ${lacking.length} migrations, the first is ${first.file}: run "migrate" of this service`,
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

/**
 * All that follow one another in one transaction, and what cannot run in one by itself, statement by statement. Broken
 * off, it is not recorded, and begins anew the next time.
 */
async function runPending(
  migrator: MikroORM['migrator'],
  pending: readonly MigrationFile[],
  execute: (statement: string) => Promise<unknown>,
): Promise<void> {
  let together: string[] = [];
  const runTogether = async (): Promise<void> => {
    if (together.length > 0) await migrator.up({ migrations: together });
    together = [];
  };
  for (const migration of pending) {
    const name = recordedName(migration.file);
    if (!isOutsideTransaction(migration.text)) {
      together.push(name);
      continue;
    }
    await runTogether();
    for (const statement of statementsOutside(migration)) await execute(statement);
    await migrator.logMigration(name);
  }
  await runTogether();
}

/** What follows the commits of transactions under way. */
const followUps = new WeakMap<object, (() => void)[]>();

/**
 * Has something done as soon as the transaction has committed, and not at all when it does not. What must follow for
 * certain, even if the process ends in between, is a row of the transaction itself.
 * @throws Error outside of a transaction
 */
export function afterCommit(em: EntityManager, followUp: () => void): void {
  const following = followUps.get(em);
  if (!following) throw new Error('there is no transaction whose commit could be waited for');
  following.push(followUp);
}

/** On what transactions run. */
interface Ground {
  em(inTransaction: Transaction): EntityManager;
  readonly pool: Pool;
}

async function transaction<T>(
  ground: Ground,
  work: (em: EntityManager) => Promise<T> | T,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const following: (() => void)[] = [];
    try {
      const result = await withSpan(
        'transaction',
        { kind: 'client', attributes: { 'db.system.name': 'postgresql' } },
        () => runOnce(ground, work, options, following),
      );
      for (const followUp of following) followUp();
      return result;
    } catch (error) {
      const cause = behind(error);
      const isRetryable = retryableStates.has(sqlState(cause) ?? 'none') || isPlanOutdated(cause);
      if (!isRetryable || attempt >= TRANSACTION_ATTEMPTS_AT_MOST) throw asUnavailable(error);
      await delay(Math.random() * RETRY_BASE_MS * 2 ** attempt);
    }
  }
}

async function runOnce<T>(
  { em: unitOf, pool }: Ground,
  work: (em: EntityManager) => Promise<T> | T,
  { lockTimeoutMs }: TransactionOptions,
  following: (() => void)[],
): Promise<T> {
  const client = await connectionOf(pool);
  const run = new Transaction(client, lockTimeoutMs, currentLimit());
  const em = unitOf(run);
  followUps.set(em, following);
  let fault: Error | undefined;
  try {
    const result = await work(em);
    await em.flush();
    await run.commit();
    return result;
  } catch (error) {
    // A connection that cannot roll back is thrown away. The server does it when its client is gone.
    await run.rollback().catch((rollbackFault: Error) => (fault = rollbackFault));
    throw error;
  } finally {
    em.leaveTransaction();
    client.release(fault);
  }
}

/** Of a statement that failed for a transient cause the error says 'unavailable', and has its fault as a cause. */
const behind = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'unavailable' ? error.cause : error;
