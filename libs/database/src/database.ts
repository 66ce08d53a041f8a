import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM, defineConfig, type EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { Migrator } from '@mikro-orm/migrations';
import { DomainError } from '@saleschannel/errors';
import {
  currentLimit,
  env,
  processEnvironment,
  withSpan,
  type Environment,
  type Logger,
  type Migration,
  type Part,
  type Values,
} from '@saleschannel/runtime';
import { AvailabilityWatch, type Availability } from './availability.ts';
import { connectionOptions, trusting, type Patience } from './connection.ts';
import { asUnavailable, isPlanOutdated, sqlState } from './errors.ts';
import {
  asMigrationsList,
  isOutsideTransaction,
  recordedName,
  statementsOutside,
  type MigrationFile,
} from './migrations.ts';
import { PreparingClient } from './preparing-client.ts';
import { connectionOf, registerPool } from './executor.ts';
import { observePool } from './pool-metrics.ts';
import { createProbe } from './probe.ts';
import { restrictRights } from './rights.ts';
import { ServerClock } from './server-clock.ts';
import { Transaction } from './transaction.ts';
import { expectSupportedServer } from './server-version.ts';
import { untilReachable } from './until-reachable.ts';

export type { EntityManager } from '@mikro-orm/postgresql';

const authorityEnvironment = {
  DATABASE_CA_FILE: env.optional(
    env.text('file with the CAs that vouch for PostgreSQL, instead of those that everybody trusts'),
  ),
} satisfies Environment;

export const databaseEnvironment = {
  DATABASE_URL: env.url('PostgreSQL database of this service alone', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  ...authorityEnvironment,
  DATABASE_POOL_MAX: env.integer('most connections of one process', { min: 2, max: 200, default: '10' }),
  DATABASE_WAIT_SECONDS: env.integer('how long a start or a migration waits for a database that cannot be reached', {
    max: 3_600,
    default: '60',
  }),
} satisfies Environment;

/**
 * What the `migrate` command of every service reads, and nothing else: a job that changes tables needs no key of the
 * service, and a service no right to change tables.
 */
export const migrationEnvironment = {
  LOG_LEVEL: processEnvironment.LOG_LEVEL,
  MIGRATION_DATABASE_URL: env.url('PostgreSQL database of the service, with the role that owns its tables', {
    secret: true,
    protocols: ['postgres:', 'postgresql:'],
  }),
  ...authorityEnvironment,
  DATABASE_WAIT_SECONDS: databaseEnvironment.DATABASE_WAIT_SECONDS,
} satisfies Environment;

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
  /** What metrics call its connections. Default: those of the primary. */
  poolName?: 'primary' | 'standby' | 'deliveries' | 'retries';
}

export interface TransactionOptions {
  /** For whom waiting for a lock as long as usual would hold up others. */
  readonly lockTimeoutMs?: number;
}

/** Kept when idle: on a busy machine a new connection with its login costs more than the statement. */
const WARM_CONNECTIONS = 2;

/** An index of a large table takes its time. Nobody waits for it but the migration. */
const migrationPatience: Partial<Patience> = { statementMs: 30 * 60_000 };

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
  /** The server's clock, as the last probe of a started database showed it. For what replicas must agree on. */
  readonly clock: { now(): Date };
  /** An error that means "not now" as 'unavailable'. All others as they are. */
  asDomainError(error: unknown): unknown;
  /** Brings the schema up to date. */
  migrate(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
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
        ...connectionOptions(options.patience ? { patience: options.patience } : {}),
      },
      logger: (message) => options.logger.debug(message),
    }),
  );
  // Makes the pool, and connects to nothing yet.
  orm.em.getConnection().getClient();
  const pool = made as unknown as Pool;
  registerPool(orm.em.fork(), pool);
  let endObservation = (): void => undefined;
  const isMapped = options.entities.length > 0;
  const stopping = new AbortController();
  const waiting = { waitMs: options.waitMs ?? 0, logger: options.logger, signal: stopping.signal };
  const clock = new ServerClock();
  const probe = createProbe(pool, clock);
  const availability = new AvailabilityWatch({ probe });
  return {
    em: () => orm.em.fork(),
    transaction: (work, limits) => transaction({ em: () => orm.em.fork(), pool, isMapped }, work, limits),
    isUsable: () => (availability.isRunning ? Promise.resolve(availability.isUsable) : probe()),
    availability,
    clock,
    asDomainError: asUnavailable,
    async migrate() {
      await untilReachable(waiting, () => expectSupportedServer(orm.em.fork()));
      await untilReachable(waiting, () =>
        runPending(orm.migrator, options.migrations, (statement) => orm.em.getConnection().execute(statement)),
      );
      await restrictRights(orm.em.fork(), options.lockedTables ?? []);
    },
    async start() {
      endObservation = observePool(pool, options.poolName ?? 'primary');
      const pending = await untilReachable(waiting, () => pendingOf(orm));
      if (pending.length > 0) {
        const [first] = pending;
        throw new Error(
          `the database lacks ${pending.length} migrations, the first is ${first?.name}: run "migrate" of this service`,
        );
      }
      await availability.start();
    },
    async stop() {
      stopping.abort();
      await availability.stop();
      endObservation();
      await orm.close();
    },
  };
}

/** Where the service's own database is, and who vouches for it. */
export const databaseUrl = (values: Pick<Values<typeof databaseEnvironment>, 'DATABASE_URL' | 'DATABASE_CA_FILE'>) =>
  trusting(values.DATABASE_URL, values.DATABASE_CA_FILE);

/** The service's own database, as its environment names it. */
export const openServiceDatabase = (
  values: Values<typeof databaseEnvironment>,
  schema: Schema,
  logger: Logger,
  options: Partial<Pick<DatabaseOptions, 'patience' | 'poolMax' | 'poolName'>> = {},
): Promise<Database> =>
  openDatabase({
    url: databaseUrl(values),
    poolMax: values.DATABASE_POOL_MAX,
    waitMs: values.DATABASE_WAIT_SECONDS * 1_000,
    ...schema,
    logger,
    ...options,
  });

/** The `migrate` command of a service: opens the database as its owner, brings the schema up to date and closes it. */
export const migrationOf = (schema: Schema): Migration<typeof migrationEnvironment> => ({
  environment: migrationEnvironment,
  async run(values, logger) {
    const database = await openDatabase({
      url: trusting(values.MIGRATION_DATABASE_URL, values.DATABASE_CA_FILE),
      // One to migrate, and one beside it for MikroORM.
      poolMax: 2,
      waitMs: values.DATABASE_WAIT_SECONDS * 1_000,
      ...schema,
      logger,
      patience: migrationPatience,
    });
    await database.migrate().finally(() => database.stop());
  },
});

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * All that follow one another in one transaction, and what cannot run in one by itself, statement by statement. Broken
 * off, it is not recorded, and begins anew the next time.
 */
async function runPending(
  migrator: MikroORM['migrator'],
  migrations: readonly MigrationFile[],
  execute: (statement: string) => Promise<unknown>,
): Promise<void> {
  const pending = new Set((await migrator.getPending()).map(({ name }) => name));
  let together: string[] = [];
  const runTogether = async (): Promise<void> => {
    if (together.length > 0) await migrator.up({ migrations: together });
    together = [];
  };
  for (const migration of migrations) {
    const name = recordedName(migration.file);
    if (!pending.has(name)) continue;
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

/** In a database without its list of migrations, which a service may not make, all of them are pending. */
async function pendingOf(orm: Pick<MikroORM, 'migrator'>): Promise<{ readonly name: string }[]> {
  try {
    return await orm.migrator.getPending();
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return [{ name: 'the first one' }];
  }
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
  em(): EntityManager;
  readonly pool: Pool;
  /** Whether there are entities, whose changes are written before the commit. */
  readonly isMapped: boolean;
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
  { em: fresh, pool, isMapped }: Ground,
  work: (em: EntityManager) => Promise<T> | T,
  { lockTimeoutMs }: TransactionOptions,
  following: (() => void)[],
): Promise<T> {
  const client = await connectionOf(pool);
  const run = new Transaction(client, lockTimeoutMs, currentLimit());
  const em = fresh();
  em.setTransactionContext(run);
  followUps.set(em, following);
  let fault: Error | undefined;
  try {
    const result = await work(em);
    if (isMapped) await em.flush();
    await run.commit();
    return result;
  } catch (error) {
    // A connection that cannot roll back is thrown away. The server does it when its client is gone.
    await run.rollback().catch((rollbackFault: Error) => (fault = rollbackFault));
    throw error;
  } finally {
    em.resetTransactionContext();
    client.release(fault);
  }
}

/** Of a statement that failed for a transient cause the error says 'unavailable', and has its fault as a cause. */
const behind = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'unavailable' ? error.cause : error;
